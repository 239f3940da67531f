#include "python/timed_statement.hpp"

#include <pyaichat/core/time.hpp>

#include <time.h>

namespace repl {

namespace {

constexpr std::string_view time_command = "%time";

std::chrono::nanoseconds processor_time() {
    timespec now = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return std::chrono::seconds(now.tv_sec) + std::chrono::nanoseconds(now.tv_nsec);
}

}  // namespace

std::optional<std::string_view> timed_statement(std::string_view entry) {
    if (!entry.starts_with(time_command)) {
        return std::nullopt;
    }
    entry.remove_prefix(time_command.size());
    const std::size_t begin = entry.find_first_not_of(" \t");
    return begin == 0 || begin == std::string_view::npos ? std::nullopt : std::optional(entry.substr(begin));
}

stopwatch::stopwatch() : wall_(std::chrono::steady_clock::now()), processor_(processor_time()) {}

std::string stopwatch::describe() const {
    return "CPU " + pyaichat::describe(processor_time() - processor_) + ", wall " +
           pyaichat::describe(std::chrono::steady_clock::now() - wall_);
}

}  // namespace repl
