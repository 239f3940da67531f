#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Longer names are not judged.
inline constexpr int longest_secret_name = 200;

/// Whether the name of a variable, an attribute or a key says that its value is a secret: `password`, `API_KEY`, `accessToken`. Names of
/// other things with such a word (`key`, `tokens`, `token_count`) do not.
[[nodiscard]] bool says_secret(std::string_view name);

/// Whether a text has a name that says secret, in an expression or between quotes.
[[nodiscard]] bool mentions_secret(std::string_view text);

/// Calls `each(name)` for the names in a text, until it returns true. Returns whether it did. The letter of an escape before a name may
/// belong to the name or not (`'\nsecret'`), so both are tried.
template <class Each>
bool any_name_in(std::string_view text, Each each) {
    const auto in_name = [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
               static_cast<unsigned char>(c) >= 0x80;
    };
    for (std::size_t at = 0; at < text.size();) {
        if (!in_name(text[at])) {
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < text.size() && in_name(text[end])) {
            ++end;
        }
        const std::string_view name = text.substr(at, end - at);
        if (each(name)) {
            return true;
        }
        if (at > 0 && text[at - 1] == '\\') {
            const std::size_t escape = name[0] == 'x' ? 3 : name[0] == 'u' ? 5 : name[0] == 'U' ? 9 : 1;
            if (name.size() > escape && each(name.substr(escape))) {
                return true;
            }
        }
        at = end;
    }
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
