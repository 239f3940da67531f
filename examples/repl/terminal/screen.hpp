#pragma once
#include <pyaichat/core/json.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace repl {

/// All output of the program: unbuffered, thread-safe.
///
/// With `for_machines` (`--json`) only reports go to standard output. Everything else, including Python's writes to descriptor 1, goes to
/// standard error.
class screen {
public:
    struct settings {
        bool for_machines = false;
        bool color = false;  ///< only used if standard output is a terminal
    };
    explicit screen(settings chosen);
    screen(const screen&) = delete;
    screen& operator=(const screen&) = delete;
    ~screen();

    void out(std::string_view text);
    void err(std::string_view text);
    /// Prints a notice, dimmed if colours are on.
    void notice(std::string_view line);
    /// Ends an unfinished line on standard output.
    void fresh_line();
    /// Prints a report for machines on the real standard output.
    void report(std::string_view line);

    /// Whether a write to standard output failed. The failure was reported on standard error.
    [[nodiscard]] bool lost_output();

    [[nodiscard]] bool for_machines() const noexcept { return settings_.for_machines; }

private:
    void put(std::string_view text);
    void write_output(int descriptor, std::string_view text);

    settings settings_;
    bool terminal_;
    int report_descriptor_ = 1;
    std::mutex mutex_;
    bool line_open_ = false;
    bool lost_output_ = false;
};

/// Removes terminal control characters except line ends and tabs, and the Unicode controls that change the writing direction (they can make
/// a text look like another text).
[[nodiscard]] std::string printable(std::string_view text);

/// Writes a value as one line of JSON, with the characters that `printable` removes as escapes.
[[nodiscard]] std::string printable_json(const pyaichat::json& value);

}  // namespace repl
