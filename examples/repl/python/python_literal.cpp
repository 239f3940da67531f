#include "python/python_literal.hpp"

#include <pyaichat/core/text.hpp>

#include <cstdio>

namespace repl {

std::string python_literal(std::string_view text) {
    const bool readable = pyaichat::detail::is_utf8(text);
    std::string out = "'";
    for (const char c : text) {
        const unsigned int byte = static_cast<unsigned char>(c);
        char escaped[8];
        if (c == '\'' || c == '\\') {
            out += '\\';
            out += c;
        } else if (byte < 0x20 || byte == 0x7f) {
            std::snprintf(escaped, sizeof escaped, "\\x%02x", byte);
            out += escaped;
        } else if (byte >= 0x80 && !readable) {
            std::snprintf(escaped, sizeof escaped, "\\udc%02x", byte);
            out += escaped;
        } else {
            out += c;
        }
    }
    return out + "'";
}

}  // namespace repl
