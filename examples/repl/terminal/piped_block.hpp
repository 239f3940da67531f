#pragma once
#include "terminal/entry_editor.hpp"

#include <string>
#include <string_view>

namespace repl {

/// Collects lines that nobody types to entries. A block may contain empty lines: the next unindented line ends it.
class piped_block {
public:
    enum class effect : unsigned char {
        needs_more,
        complete,         ///< the line was the last one of the entry
        complete_before,  ///< the entry was complete without the line, which begins the next one
    };

    [[nodiscard]] bool empty() const noexcept { return text_.empty(); }
    effect add(const std::string& line, const entry_context& context);
    /// Returns the entry and begins the next one.
    [[nodiscard]] std::string take();

private:
    void append(const std::string& line);
    [[nodiscard]] effect judge(const entry_context& context);

    std::string text_;
    bool open_ = false;       // inside brackets or a multi-line string, as far as known
    bool decorated_ = false;  // the last line was a decorator
};

}  // namespace repl
