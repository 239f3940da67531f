#pragma once
#include <chrono>
#include <optional>
#include <string>
#include <string_view>

namespace repl {

/// The statement of the entry `%time STATEMENT`, or nothing for other entries.
[[nodiscard]] std::optional<std::string_view> timed_statement(std::string_view entry);

/// The time that the processor and the clock on the wall have spent since it was created. All threads of the program count.
class stopwatch {
public:
    stopwatch();
    /// "CPU 1.2 s, wall 3.4 s", since the start.
    [[nodiscard]] std::string describe() const;

private:
    std::chrono::steady_clock::time_point wall_;
    std::chrono::nanoseconds processor_;
};

}  // namespace repl
