#include "core/json_text.hpp"

#include <pyaichat/core/text.hpp>

#include <cstdint>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr bool needs_escape(char c) noexcept {
    return static_cast<unsigned char>(c) < 0x20 || c == '"' || c == '\\';
}

/// Returns whether one of eight characters needs an escape.
bool any_needs_escape(const char* text) noexcept {
    constexpr std::uint64_t ones = 0x0101010101010101U;
    constexpr std::uint64_t tops = ones << 7U;
    std::uint64_t word = 0;
    std::memcpy(&word, text, sizeof(word));
    // A difference borrows from its top bit if the byte is less. Bytes that have the top bit themselves do not count.
    const auto any_less = [](std::uint64_t bytes, std::uint64_t than) { return (bytes - ones * than) & ~bytes & tops; };
    return (any_less(word, 0x20) | any_less(word ^ (ones * '"'), 1) | any_less(word ^ (ones * '\\'), 1)) != 0;
}

/// Returns the position of the next character that needs an escape, or the size.
std::size_t next_escape(std::string_view text, std::size_t from) noexcept {
    while (from + sizeof(std::uint64_t) <= text.size() && !any_needs_escape(text.data() + from)) {
        from += sizeof(std::uint64_t);
    }
    while (from < text.size() && !needs_escape(text[from])) {
        ++from;
    }
    return from;
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
    for (std::size_t plain = 0; plain <= text.size();) {
        const std::size_t escaped = next_escape(text, plain);
        out.append(text, plain, escaped - plain);
        if (escaped < text.size()) {
            append_escaped(out, text[escaped]);
        }
        plain = escaped + 1;
    }
    out += '"';
}

void append_json(std::string& out, const json& value, std::size_t depth, references form) {
    if (const auto text = as_string(value)) {
        append_string(out, *text);
    } else if (form == references::as_text && find_member(value, "$ref") != nullptr) {
        append_string(out, dump_json(value));
    } else if (const auto* natural = value.get_ptr<const json::number_unsigned_t*>()) {  // without a serializer for each number
        out += std::to_string(*natural);
    } else if (const auto* integer = value.get_ptr<const json::number_integer_t*>()) {
        out += std::to_string(*integer);
    } else if (const auto flag = as_bool(value)) {
        out += *flag ? "true" : "false";
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
