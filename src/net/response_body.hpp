#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Extracts the body of a response from its framing: a length, chunks, or the end of the connection. No I/O.
class response_body {
public:
    static constexpr std::size_t largest_line = 1'000;       ///< a chunk size line or a trailer
    static constexpr std::size_t largest_trailers = 16'000;  ///< all trailers

    [[nodiscard]] static response_body of_length(std::uint64_t bytes) noexcept;
    [[nodiscard]] static response_body of_chunks() noexcept { return response_body(state::size); }
    [[nodiscard]] static response_body to_the_end() noexcept { return response_body(state::endless); }

    /// Removes framing and the next part of the body from the front of `bytes`. Returns that part; empty if `bytes` has none.
    [[nodiscard]] std::string_view take(std::string_view& bytes);
    /// Reports that the peer has closed the connection properly.
    void end_of_connection() noexcept;

    [[nodiscard]] bool finished() const noexcept { return state_ == state::finished; }
    [[nodiscard]] bool malformed() const noexcept { return state_ == state::malformed; }

private:
    enum class state : unsigned char {
        length,   ///< `left_` bytes remain
        endless,  ///< until the connection ends
        size,     ///< in the size line before a chunk
        chunk,    ///< `left_` bytes of the chunk remain
        after,    ///< in the line end after a chunk
        trailer,  ///< in the lines after the last chunk
        finished,
        malformed,
    };

    explicit response_body(state initial) noexcept : state_(initial) {}
    [[nodiscard]] state after_line();

    state state_;
    std::uint64_t left_ = 0;
    std::string line_ = {};
    std::size_t trailers_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
