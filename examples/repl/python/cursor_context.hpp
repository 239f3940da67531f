#pragma once
#include "python/python_lexer.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// What the cursor of an entry stands in, from the tokens before it.
struct cursor_context {
    enum class kind : unsigned char {
        nothing,        ///< a comment, a number, the name of a new function: nothing to complete
        name,           ///< a name, perhaps of a keyword argument
        attribute,      ///< behind `object.`
        key,            ///< in `object[`
        text,           ///< in a string: perhaps the name of a file
        module,         ///< behind `import`, or behind `from`
        module_member,  ///< behind `from object import`
    };
    kind what = kind::nothing;
    std::size_t begin = 0;                ///< where the word begins that the cursor is behind
    std::string word = {};                ///< for `key` with its quote and prefix; for `text` without them
    std::string object = {};              ///< an expression; for `module` and `module_member` the name of a module, which may be empty
    std::string callee = {};              ///< for `name`: the function that takes a new argument here; empty if there is none
    std::vector<std::string> given = {};  ///< the keyword arguments that the call already has
    bool is_raw = false;                  ///< for `text`: a backslash is a character
};

[[nodiscard]] cursor_context context_at(std::string_view entry, std::size_t cursor);

/// The function of the innermost call around the cursor, or else the object under the cursor, as an expression. Empty if there is none.
[[nodiscard]] std::string object_at(std::string_view entry, std::size_t cursor);

}  // namespace repl
