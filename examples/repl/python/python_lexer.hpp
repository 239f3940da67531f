#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

namespace repl {

enum class token_kind : unsigned char {
    name,  ///< a name or a keyword
    number,
    string,  ///< a string without replacement fields, or a piece of an f-string between them, with its prefix and quotes
    op,      ///< an operator or a bracket; also `{`, `}`, `!`, `:` and `=` of a replacement field
    comment,
    newline,  ///< the end of a logical line; the line ends inside of brackets are no tokens
    error,    ///< no Python: a stray character, an unclosed string on one line, a closing bracket without an opening one
};

struct python_token {
    std::size_t begin = 0;
    std::size_t end = 0;
    token_kind kind = token_kind::error;
    std::uint32_t depth = 0;  ///< how many brackets, f-strings and replacement fields are open around it; a bracket is outside of itself
};

/// A bracket, an f-string or a part of one that the text leaves open.
struct open_level {
    enum class kind : unsigned char {
        bracket,
        f_string,
        field,  ///< `{...}` of an f-string
        spec,   ///< the format behind the `:` of a field
    };
    std::size_t at = 0;  ///< where it begins
    kind what = kind::bracket;
    char mark = 0;  ///< the bracket or the quote
    bool triple = false;
    bool raw = false;
};

/// The tokens of a text, and how it ends.
struct python_tokens {
    std::vector<python_token> tokens = {};
    std::vector<open_level> open = {};  ///< at the end of the text, outermost first
    bool hopeless = false;              ///< a token is an error that more lines cannot mend
    bool in_string = false;             ///< the last token is a string whose end is missing and may follow
    bool ends_with_backslash = false;   ///< the last line continues by a backslash
};

/// Splits Python source into tokens. Accepts any bytes, in time linear in their number. F-strings nest as in Python 3.12.
[[nodiscard]] python_tokens lex_python(std::string_view text);

/// Whether the byte may be part of a name.
[[nodiscard]] bool is_name_byte(char c) noexcept;

}  // namespace repl
