#pragma once
#include <pyaichat/python/session.hpp>

#include <chrono>
#include <cstdint>
#include <deque>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What a person ran, and how it ended. All texts are cut.
struct session_entry {
    std::string file = {};    ///< as in tracebacks: `<session 3>`
    std::string source = {};  ///< its beginning
    std::string ended = {};   ///< `done`, `exited`, or `raised ValueError`
    std::int64_t milliseconds = 0;
    std::string out = {};  ///< the last output to `sys.stdout`
    std::string err = {};  ///< the last output to `sys.stderr`
};

/// The last entries of a session, oldest first. For Python's thread only.
class session_history {
public:
    static constexpr std::size_t max_entries = 20;
    static constexpr std::size_t max_text = 2000;  ///< of each text, in bytes

    void add(const std::string& source, std::string file, const outcome& ended, std::chrono::steady_clock::duration took);

    [[nodiscard]] const std::deque<session_entry>& entries() const noexcept { return entries_; }
    /// The number of entries since the session began.
    [[nodiscard]] std::uint64_t total() const noexcept { return total_; }

private:
    std::deque<session_entry> entries_;
    std::uint64_t total_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
