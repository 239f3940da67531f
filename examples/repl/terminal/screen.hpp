#pragma once
#include <pyaichat/core/json.hpp>

#include <condition_variable>
#include <cstddef>
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
    /// Shows a line that the next output or status replaces; an empty line only erases it. Does nothing behind an unfinished line, and
    /// where the cursor cannot move: without a terminal, or in a dumb one.
    void status(std::string_view line);
    /// Prints a report for machines on the real standard output.
    void report(std::string_view line);

    /// While a prompt is shown, output for the terminal waits, from `hold` to `release`. Each piece makes the returned descriptor readable,
    /// and the owner of the prompt makes room and calls `take_held`. If it does not do so in time, output beyond 1 MiB is dropped.
    [[nodiscard]] int hold();
    /// Returns what has waited. Clears the descriptor.
    [[nodiscard]] std::string take_held();
    /// Ends `hold`, and writes what has waited.
    void release();
    /// What is shown of an unfinished last line, without control characters; empty if there is none. Marks the line as ended.
    [[nodiscard]] std::string take_open_line();

    /// Whether a write to standard output failed. The failure was reported on standard error.
    [[nodiscard]] bool lost_output();

    [[nodiscard]] bool for_machines() const noexcept { return settings_.for_machines; }
    /// Whether standard output is a terminal.
    [[nodiscard]] bool is_terminal() const noexcept { return terminal_ && !settings_.for_machines; }
    /// Whether text may have colours and other styles.
    [[nodiscard]] bool is_styled() const noexcept { return is_terminal() && settings_.color; }
    /// The columns of the terminal, 0 if unknown.
    [[nodiscard]] std::size_t columns() const noexcept;

private:
    void put(std::string_view text);
    void keep(std::string_view text, std::unique_lock<std::mutex>& lock);
    std::string exchange_held();
    void erase_status();
    void write_output(int descriptor, std::string_view text);

    settings settings_;
    bool terminal_;
    int report_descriptor_ = 1;
    std::mutex mutex_;
    bool line_open_ = false;
    std::string last_line_;  // the unfinished one, from its begin
    bool holding_ = false;
    std::string held_;
    std::size_t dropped_ = 0;  // bytes
    std::condition_variable taken_;
    int wake_[2] = {-1, -1};
    bool lost_output_ = false;
    std::string status_;  // what is shown of `status`
};

/// Removes terminal control characters except line ends and tabs, and the Unicode controls that change the writing direction (they can make
/// a text look like another text).
[[nodiscard]] std::string printable(std::string_view text);

/// Writes a value as one line of JSON, with the characters that `printable` removes as escapes.
[[nodiscard]] std::string printable_json(const pyaichat::json& value);

}  // namespace repl
