#pragma once
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// A piece of text with the parameters of its escape sequence (SGR): "1;3". Empty codes mean plain text.
struct marked_text {
    std::string codes = {};
    std::string text = {};
};

/// Splits Markdown within a paragraph into styled pieces: strong, emphasis, code, links, escapes. Appends the pieces to `out` and returns
/// the number of bytes that it has decided about. The rest depends on text that has not arrived yet. With `ended`, the text is the whole
/// paragraph line and everything is decided.
///
/// `codes`: the style of the surroundings. `before`: the character before the text, '\0' at the begin of a line.
std::size_t split_inline(std::string_view text, char before, bool ended, const std::string& codes, std::vector<marked_text>& out);

}  // namespace repl
