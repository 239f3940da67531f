#pragma once
#include <pyaichat/config/config.hpp>

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Takes the body of a response out of its framing: a length, chunks, or all that comes before the connection ends. No I/O.
///
/// cpp-httplib 0.11 takes chunks that are malformed for the end of the body, and holds a line of any length in memory.
class response_body {
public:
    static constexpr std::size_t largest_line = 1'000;       ///< the size of a chunk with its extensions, or a trailer
    static constexpr std::size_t largest_trailers = 16'000;  ///< together

    [[nodiscard]] static response_body of_length(std::uint64_t bytes) noexcept;
    [[nodiscard]] static response_body of_chunks() noexcept { return response_body(state::size); }
    [[nodiscard]] static response_body to_the_end() noexcept { return response_body(state::endless); }

    /// Takes framing and the next stretch of the body from the front of `bytes`; empty when there is none in them.
    [[nodiscard]] std::string_view take(std::string_view& bytes);
    /// The peer has ended the connection properly.
    void end_of_connection() noexcept;

    [[nodiscard]] bool finished() const noexcept { return state_ == state::finished; }
    [[nodiscard]] bool malformed() const noexcept { return state_ == state::malformed; }

private:
    enum class state : unsigned char {
        length,   ///< `left_` more bytes
        endless,  ///< whatever comes
        size,     ///< in the line before a chunk
        chunk,    ///< `left_` more bytes of it
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
