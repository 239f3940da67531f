#include "core/json_text.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr bool needs_escape(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

void append_escaped(std::string& out, char c) {
    constexpr std::string_view digits = "0123456789abcdef";
    constexpr std::string_view short_escapes = "\"\\\b\f\n\r\t";
    constexpr std::string_view letters = "\"\\bfnrt";
    if (const std::size_t at = short_escapes.find(c); at != short_escapes.npos) {
        out += {'\\', letters[at]};
    } else {
        const auto byte = static_cast<unsigned char>(c);
        out += "\\u00";
        out += {digits[byte >> 4U], digits[byte & 15U]};
    }
}

}  // namespace

void append_string(std::string& out, std::string_view text) {
    std::string repaired;
    if (!detail::is_utf8(text)) {
        repaired = detail::repair_utf8(text);
        text = repaired;
    }
    out += '"';
    std::size_t plain = 0;  // the start of the characters without escapes
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (needs_escape(text[i])) {
            out.append(text, plain, i - plain);
            append_escaped(out, text[i]);
            plain = i + 1;
        }
    }
    out.append(text, plain);
    out += '"';
}

void append_json(std::string& out, const json& value, std::size_t depth, references form) {
    if (const auto text = as_string(value)) {
        append_string(out, *text);
    } else if (form == references::as_text && find_member(value, "$ref") != nullptr) {
        append_string(out, dump_json(value));
    } else if (!value.is_structured()) {
        out += dump_json(value);
    } else if (depth == 0) {
        out += "null";
    } else if (const auto* members = value.get_ptr<const json::object_t*>()) {
        out += '{';
        for (const auto& [name, member] : *members) {
            append_comma(out);
            append_string(out, name);
            out += ':';
            append_json(out, member, depth - 1, form);
        }
        out += '}';
    } else {
        out += '[';
        for (const json& element : value) {
            append_comma(out);
            append_json(out, element, depth - 1, form);
        }
        out += ']';
    }
}

void append_member(std::string& out, std::string_view name, const json& value) {
    append_string(out, name);
    out += ':';
    append_json(out, value);
    out += ',';
}

void append_comma(std::string& out) {
    if (!out.empty() && out.back() != '[' && out.back() != '{') {
        out += ',';
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
