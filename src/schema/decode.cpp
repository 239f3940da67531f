#include <pyaichat/schema/decode.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

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

schema_error wrong_type(std::string_view wanted, const json& found) {
    return {{}, "type", "must be " + std::string(wanted) + ", not " + found.type_name()};
}

schema_error missing_member(std::string_view name, std::string_view description) {
    return {"/" + pointer_token(name), "required", "is required" + (description.empty() ? "" : ": " + std::string(description))};
}

schema_error out_of_range(std::string_view name, std::string_view keyword, std::string_view relation, std::int64_t bound) {
    return {"/" + pointer_token(name), std::string(keyword), "must be " + std::string(relation) + " " + std::to_string(bound)};
}

bool below(schema_error& error, std::string_view key) {
    error.path.insert(0, "/" + pointer_token(key));
    return false;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
