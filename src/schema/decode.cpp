#include <pyaichat/schema/decode.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

schema_error wrong_type(std::string path, std::string_view wanted, const json& found) {
    return {std::move(path), "type", "must be " + std::string(wanted) + ", not " + found.type_name()};
}

std::string pointer_token(std::string_view key) {
    std::string token;
    for (const char c : key) {
        if (c == '~') {
            token += "~0";
        } else if (c == '/') {
            token += "~1";
        } else {
            token += c;
        }
    }
    return token;
}

schema_error missing_member(const std::string& path, std::string_view name, std::string_view description) {
    return {path + "/" + pointer_token(name), "required", "is required" + (description.empty() ? "" : ": " + std::string(description))};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
