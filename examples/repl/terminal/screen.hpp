#pragma once
#include <pyaichat/core/json.hpp>

#include <mutex>
#include <string>
#include <string_view>

namespace repl {

/// Everything that the program writes goes through here: unbuffered, whole pieces at a time, from any thread.
///
/// For machines (`--json`) the reports have standard output for themselves: everything else, even what Python writes to descriptor 1, goes
/// to standard error.
class screen {
public:
    struct settings {
        bool for_machines = false;
        bool color = false;  ///< only ever used when standard output is a terminal
    };
    explicit screen(settings chosen);
    screen(const screen&) = delete;
    screen& operator=(const screen&) = delete;
    ~screen();

    void out(std::string_view text);
    void err(std::string_view text);
    /// A line beside the matter: dim where there are colours.
    void aside(std::string_view line);
    /// Ends a line that is still open on standard output.
    void fresh_line();
    /// A line for machines, on the real standard output.
    void report(std::string_view line);

    /// Whether something could not be written to standard output, which was then said on standard error.
    [[nodiscard]] bool lost_output();

    [[nodiscard]] bool for_machines() const noexcept { return settings_.for_machines; }
    /// Whether a person at a terminal reads standard output.
    [[nodiscard]] bool terminal() const noexcept { return terminal_; }

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

/// The text without what would steer a terminal: control characters other than line ends and tabs, escape sequences included, and the
/// controls that reverse the direction of writing, by which a text shows something else than it says.
[[nodiscard]] std::string printable(std::string_view text);

/// A value as JSON in one line, with escapes in place of what would steer a terminal: the value is the same.
[[nodiscard]] std::string printable_json(const pyaichat::json& value);

}  // namespace repl
