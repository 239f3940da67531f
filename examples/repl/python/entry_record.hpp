#pragma once
#include <pyaichat/python/session.hpp>

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// Keeps the begin and the end of a text that arrives in pieces.
class bounded_output {
public:
    explicit bounded_output(std::size_t limit) : half_(limit / 2) {}
    void add(std::string_view text);
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool truncated() const noexcept { return dropped_ > 0; }

private:
    std::size_t half_;
    std::string head_;
    std::string tail_;
    std::size_t dropped_ = 0;
};

/// What the person entered and what came of it.
struct finished_entry {
    std::string input = {};
    std::string output = {};  ///< head and tail
    bool truncated = false;   ///< `output` is not all
    std::optional<ai::python::exception_info> exception = {};
    std::vector<std::string> names = {};  ///< that the entry bound or defined, in the order of the text
};

/// Records the entries of the person: the last one with its output, and the texts of all that were typed. Thread-safe: output arrives on
/// Python's threads.
class entry_record {
public:
    /// Begins an entry. Output that arrives later belongs to it. Code of the program itself, with a file name in angle brackets other than
    /// `<input>` and `<exec>`, is not an entry.
    void begin(const std::string& input, std::string_view file_name);
    void add_output(std::string_view text);
    /// Ends the entry. Forgets it if its code was incomplete or did not run.
    void end(const ai::python::outcome& outcome);

    /// Makes a command that is not Python, such as `!ls`, the last entry.
    void add_command(std::string input, std::string_view output);

    /// The last entry that has ended. Empty if there was none.
    [[nodiscard]] std::optional<finished_entry> last() const;
    /// The texts of all entries at the prompt, oldest first.
    [[nodiscard]] std::vector<std::string> entries() const;
    /// Adds an entry of an earlier session to `entries`.
    void add_earlier(std::string input);

private:
    static constexpr std::size_t max_output = 2000;

    mutable std::mutex mutex_;
    std::string input_;
    bool open_ = false;
    bool typed_ = false;  // at the prompt
    bounded_output output_{max_output};
    std::optional<finished_entry> last_;
    std::vector<std::string> entries_;
};

}  // namespace repl
