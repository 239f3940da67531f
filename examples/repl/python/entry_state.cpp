#include "python/entry_state.hpp"

#include "python/logical_line.hpp"
#include "python/timed_statement.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <vector>

namespace repl {

namespace {

constexpr std::size_t tab_width = 8;

std::string_view text_of(std::string_view text, const python_token& token) {
    return text.substr(token.begin, token.end - token.begin);
}

std::size_t width_of(std::string_view indent) {
    std::size_t width = 0;
    for (const char c : indent) {
        width = c == '\t' ? (width / tab_width + 1) * tab_width : width + 1;
    }
    return width;
}

/// The blocks that enclose a logical line, as Python's parser needs them.
class block_stack {
public:
    explicit block_stack(std::string_view text) : text_(text) {}

    /// Takes the next line. Returns false if no more lines can make the text valid.
    bool take(const logical_line& line) {
        const std::size_t width = width_of(line.indent);
        if (blocks_.empty()) {
            blocks_.push_back({.width = 0});
            if (width > 0) {
                return false;
            }
        } else if (!enter_or_leave(width, line.indent)) {
            return false;
        }
        return take_into_block(line);
    }

    /// Whether something must follow, an empty line or not: the body of a block, an `except`, a function behind its decorator.
    [[nodiscard]] bool lacks_a_part() const {
        return expects_body_ || std::ranges::any_of(blocks_, [](const block& each) { return each.open_try || each.decorated; });
    }
    /// Whether the last statement is a block, which an empty line ends.
    [[nodiscard]] bool needs_empty_line() const { return !blocks_.empty() && blocks_.front().compound; }

    /// The blanks before the block around the last line.
    [[nodiscard]] std::string_view outer_indent() const {
        return blocks_.size() > 1 ? blocks_[blocks_.size() - 2].indent : std::string_view();
    }

private:
    struct block {
        std::size_t width = 0;
        std::string_view indent = {};
        bool compound = false;   ///< its last statement has blocks
        bool open_try = false;   ///< and is a `try` that has neither `except` nor `finally` yet
        bool decorated = false;  ///< and is a decorator
    };

    bool enter_or_leave(std::size_t width, std::string_view indent) {
        if (expects_body_) {
            if (width <= blocks_.back().width) {
                return false;
            }
            blocks_.push_back({.width = width, .indent = indent});
            return true;
        }
        while (blocks_.back().width > width) {
            if (blocks_.back().open_try || blocks_.back().decorated) {
                return false;
            }
            blocks_.pop_back();
        }
        return blocks_.back().width == width;
    }

    bool take_into_block(const logical_line& line) {
        block& current = blocks_.back();
        const bool handler = line.head == "except" || line.head == "finally";
        const bool continues = handler || line.head == "elif" || line.head == "else";
        const bool decorator = text_of(text_, line.tokens.front()) == "@";
        if ((continues && !current.compound) || (current.open_try && !handler) || (line.is_block && !line.has_colon)) {
            return false;
        }
        if (current.decorated && !decorator && line.head != "def" && line.head != "class") {
            return false;
        }
        current.compound = line.is_block || decorator;
        current.open_try = line.head == "try";
        current.decorated = decorator;
        expects_body_ = line.opens_block;
        return !decorator || line.tokens.size() > 1;
    }

    std::string_view text_;
    std::vector<block> blocks_;
    bool expects_body_ = false;
};

/// One level more than `indent`.
std::string deeper(std::string_view indent) {
    return std::string(indent) + (indent.ends_with('\t') ? "\t" : "    ");
}

/// The blanks for a line that continues the logical line: one level more than the line with the bracket, or than the first line.
std::string continuation_indent(std::string_view text, const python_tokens& lexed) {
    if (!lexed.open.empty()) {
        return deeper(indent_at(text, lexed.open.back().at));
    }
    const auto newline =
        std::find_if(lexed.tokens.rbegin(), lexed.tokens.rend(), [](const python_token& each) { return each.kind == token_kind::newline; });
    return deeper(indent_at(text, newline == lexed.tokens.rend() ? 0 : newline->end));
}

/// The blanks for a new logical line behind the last one.
std::string next_indent(std::string_view text, const logical_line& last, const block_stack& blocks) {
    static constexpr std::string_view leaving[] = {"return", "pass", "raise", "break", "continue"};
    if (last.opens_block) {
        return deeper(last.indent);
    }
    const std::size_t line = text.rfind('\n') + 1;
    const std::string_view indent = indent_at(text, text.size());
    if (line > last.tokens.back().end && line + indent.size() < text.size()) {
        return std::string(indent);  // of a comment
    }
    return std::string(std::ranges::find(leaving, last.head) != std::end(leaving) ? blocks.outer_indent() : last.indent);
}

/// Lines that are not Python: `/command`, `!command`, `%magic`.
bool is_command(std::string_view text) {
    return text.find('\n') == std::string_view::npos && (text.starts_with('/') || text.starts_with('!') || text.starts_with('%'));
}

}  // namespace

entry_state judge_entry(std::string_view text) {
    if (const auto timed = timed_statement(text)) {
        return judge_entry(*timed);
    }
    if (is_command(text)) {
        return {};
    }
    const python_tokens lexed = lex_python(text);
    if (lexed.hopeless) {  // also `name?`
        return {};
    }
    const std::vector<logical_line> lines = logical_lines(text, lexed);
    block_stack blocks(text);
    if (!std::ranges::all_of(lines, [&](const logical_line& each) {
            return (&each == &lines.back() && (lexed.in_string || !lexed.open.empty() || lexed.ends_with_backslash)) || blocks.take(each);
        })) {
        return {};
    }
    if (lexed.in_string) {
        return {.complete = false};
    }
    if (!lexed.open.empty() || lexed.ends_with_backslash) {
        return {.complete = false, .indent = continuation_indent(text, lexed)};
    }
    const bool ends_with_empty_line =
        pyaichat::detail::is_blank(text.substr(text.rfind('\n') + 1)) && text.find('\n') != std::string_view::npos;
    if (lines.empty() || (!blocks.lacks_a_part() && (ends_with_empty_line || !blocks.needs_empty_line()))) {
        return {};
    }
    return {.complete = false, .indent = next_indent(text, lines.back(), blocks)};
}

}  // namespace repl
