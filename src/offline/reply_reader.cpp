#include "offline/reply_reader.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

using std::string_view;

std::string ticked(string_view text) {
    return "`" + std::string(text) + "`";
}

const json& member(const json& object, string_view key) {
    static const json null = nullptr;
    const json* found = find_member(object, key);
    return found != nullptr ? *found : null;
}

const json& list_member(const json& object, string_view key) {
    static const json empty = json::array();
    const json& found = member(object, key);
    return found.is_array() ? found : empty;
}

std::string text_member(const json& object, string_view key) {
    return std::string(string_member(object, key).value_or(string_view()));
}

std::string text_or_member(const json& value, string_view key) {
    const auto text = as_string(value);
    return text ? std::string(*text) : text_member(value, key);
}

std::string with_article(const std::string& type) {
    const std::string noun = type.empty() ? "object" : type;
    const bool vowel = string_view("aeioAEIO").find(noun.front()) != string_view::npos;
    return (vowel ? "an " : "a ") + noun;
}

std::string shown_safely(string_view text) {
    std::string out;
    for (const char c : repair_utf8(text)) {
        const auto byte = static_cast<unsigned char>(c);
        const bool control = (byte < 0x20 && c != '\n' && c != '\t') || byte == 0x7F;
        out += control ? '?' : c;
    }
    return out;
}

std::string without_numpy_types(std::string value) {
    if (value.find_first_of("'\"") != std::string::npos) {
        return value;
    }
    constexpr string_view module = "numpy.";
    std::string out;
    string_view rest = value;
    for (std::size_t found = rest.find(module); found != string_view::npos; found = rest.find(module)) {
        const std::size_t open = rest.find_first_of("( ,", found);
        const std::size_t close = rest.find_first_of("(),", open == string_view::npos ? open : open + 1);
        const bool number = open != string_view::npos && rest[open] == '(' && close != string_view::npos && rest[close] == ')';
        out += rest.substr(0, found);
        out += number ? rest.substr(open + 1, close - open - 1) : module;
        rest.remove_prefix(number ? close + 1 : found + module.size());
    }
    return out + std::string(rest);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
