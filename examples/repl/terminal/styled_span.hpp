#pragma once
#include <cstddef>

namespace repl {

/// The role of a piece of text on the screen. The terminal layer chooses the colours.
enum class text_style : unsigned char {
    plain,
    keyword,
    builtin,     ///< a name of the module `builtins`
    definition,  ///< the name after `def` or `class`
    decorator,
    string,
    number,
    comment,
    error,      ///< text that cannot be Python, such as an unclosed string on one line
    heading,    ///< of Markdown
    strong,     ///< of Markdown
    emphasis,   ///< of Markdown
    code,       ///< of Markdown, in a line of prose
    dimmed,     ///< notices, suggestions
    highlight,  ///< the matching bracket, the chosen line of a menu
};

/// A piece of a text with one style. Offsets are bytes of the UTF-8 text, `end` is behind the last one.
struct styled_span {
    std::size_t begin = 0;
    std::size_t end = 0;
    text_style style = text_style::plain;

    friend bool operator==(const styled_span&, const styled_span&) = default;
};

}  // namespace repl
