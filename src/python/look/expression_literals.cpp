#include "python/look/bounded_text.hpp"
#include "python/look/expression_parser.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <charconv>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

char to_lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

/// The prefix of a string literal, in lower case.
std::string prefix_of(std::string_view word) {
    std::string prefix(word.substr(0, 3));
    std::transform(prefix.begin(), prefix.end(), prefix.begin(), &to_lower);
    return prefix;
}

}  // namespace

/// Appends digits of a base without the underscores between them. Returns false if there are none.
bool expression_parser::digits(std::string& into, int base) {
    const std::size_t before = into.size();
    const auto fits = [&](char c) {
        const int value = pyaichat::detail::is_digit(c) ? c - '0' : to_lower(c) >= 'a' && to_lower(c) <= 'f' ? to_lower(c) - 'a' + 10 : 99;
        return value < base;
    };
    while (fits(peek()) || (peek() == '_' && into.size() > before && fits(peek(1)))) {
        if (peek() != '_') {
            into += peek();
        }
        ++at_;
    }
    return into.size() > before;
}

node_id expression_parser::number() {
    const std::size_t begin = at_;
    node_kind kind = node_kind::integer;
    std::string text;
    const char mark = peek() == '0' ? to_lower(peek(1)) : '\0';
    const int base = mark == 'x' ? 16 : mark == 'o' ? 8 : mark == 'b' ? 2 : 10;
    bool fits = true;
    if (base != 10) {
        text = {'0', mark};
        at_ += 2;
        at_ += peek() == '_' ? 1 : 0;
        fits = digits(text, base);
    } else {
        digits(text, 10);
        const bool leading_zero = text.size() > 1 && text.front() == '0' && text.find_first_not_of('0') != std::string::npos;
        if (peek() == '.') {
            kind = node_kind::floating;
            text += source()[at_++];
            digits(text, 10);
        }
        const std::size_t sign = peek(1) == '+' || peek(1) == '-' ? 1 : 0;
        if (to_lower(peek()) == 'e' && pyaichat::detail::is_digit(peek(1 + sign))) {
            kind = node_kind::floating;
            text += source().substr(at_, 1 + sign);
            at_ += 1 + sign;
            digits(text, 10);
        }
        if (to_lower(peek()) == 'j') {
            kind = node_kind::imaginary;
            ++at_;
        }
        fits = kind != node_kind::integer || !leading_zero;
    }
    if (!fits || !word().empty() || pyaichat::detail::is_digit(peek())) {
        at_ = begin;
        return fail("not a number");
    }
    if (text.size() > max_integer_digits) {
        at_ = begin;
        return fail("a number has too many digits");
    }
    return add(kind, begin, {}, std::move(text));
}

bool expression_parser::sees_string() const {
    const std::string_view letters = word();
    const char next = letters.size() <= 2 ? peek(letters.size()) : '\0';
    if (next != '\'' && next != '"') {
        return false;
    }
    const std::string prefix = prefix_of(letters);
    return prefix.empty() || prefix == "r" || prefix == "u" || prefix == "b" || prefix == "f" || prefix == "br" || prefix == "rb" ||
           prefix == "fr" || prefix == "rf";
}

node_id expression_parser::strings() {
    const std::size_t begin = at_;
    std::vector<node_id> parts;
    std::optional<bool> bytes;
    while (sees_string()) {
        if (!string(parts, bytes)) {
            return no_node;
        }
        skip_blanks();
    }
    const bool formatted = std::any_of(parts.begin(), parts.end(), [&](node_id id) { return tree_[id].kind == node_kind::field; });
    if (formatted) {
        return add(node_kind::formatted, begin, std::move(parts));
    }
    std::string value;
    for (const node_id each : parts) {
        value += tree_[each].text;
    }
    return add(*bytes ? node_kind::bytes : node_kind::text, begin, {}, std::move(value));
}

bool expression_parser::string(std::vector<node_id>& parts, std::optional<bool>& bytes) {
    const std::string prefix = prefix_of(word());
    quoting form = {.raw = prefix.find('r') != std::string::npos,
                    .bytes = prefix.find('b') != std::string::npos,
                    .formatted = prefix.find('f') != std::string::npos};
    if (form.bytes != bytes.value_or(form.bytes)) {
        fail("bytes and text cannot be joined");
        return false;
    }
    bytes = form.bytes;
    at_ += prefix.size();
    form.quote = peek();
    form.triple = peek(1) == form.quote && peek(2) == form.quote;
    at_ += form.triple ? 3 : 1;
    return string_body(form, parts);
}

bool expression_parser::string_body(const quoting& form, std::vector<node_id>& parts) {
    const std::string end(form.triple ? 3 : 1, form.quote);
    if (form.formatted) {
        if (!formatted_parts(form, false, parts)) {
            return false;
        }
    } else {
        const std::size_t begin = at_;
        std::string value;
        while (!at_end() && !sees(end)) {
            if (!character(form, value)) {
                return false;
            }
        }
        if (kept(parts, add(form.bytes ? node_kind::bytes : node_kind::text, begin, {}, std::move(value))) == no_node) {
            return false;
        }
    }
    if (!sees(end)) {
        fail("a string is not closed");
        return false;
    }
    at_ += end.size();
    return true;
}

/// Reads one character, escaped or not.
bool expression_parser::character(const quoting& form, std::string& into) {
    const char c = peek();
    if (c == '\\' && !form.raw) {
        return escape(form, into);
    }
    if ((c == '\n' || c == '\r') && !form.triple) {
        fail("a string is not closed in its line");
        return false;
    }
    if (form.bytes && static_cast<unsigned char>(c) >= 0x80) {
        fail("bytes have only ASCII characters");
        return false;
    }
    ++at_;
    if (c == '\r') {  // Python reads every line end as `\n`
        at_ += peek() == '\n' ? 1 : 0;
        into += '\n';
        return true;
    }
    into += c;
    if (c == '\\' && !at_end() && (form.triple || (peek() != '\n' && peek() != '\r'))) {  // raw: the next character does not end the string
        if (form.formatted && (peek() == '{' || peek() == '}')) {
            return true;
        }
        into += source()[at_++];
    }
    return true;
}

bool expression_parser::escape(const quoting& form, std::string& into) {
    const std::size_t begin = at_++;
    const char kind = peek();
    constexpr std::string_view letters = "\\'\"abfnrtv";
    constexpr std::string_view meanings = "\\'\"\a\b\f\n\r\t\v";
    if (const std::size_t simple = letters.find(kind); kind != '\0' && simple != std::string_view::npos) {
        ++at_;
        into += meanings[simple];
        return true;
    }
    if (kind == '\n') {  // the line goes on
        ++at_;
        return true;
    }
    const bool octal = kind >= '0' && kind <= '7';
    const std::size_t width = octal ? 3 : kind == 'x' ? 2 : kind == 'u' && !form.bytes ? 4 : kind == 'U' && !form.bytes ? 8 : 0;
    if (width == 0) {
        if (kind == 'N' && !form.bytes) {
            at_ = begin;
            fail("characters by name are not supported");
            return false;
        }
        into += '\\';  // an unknown escape means itself
        return true;
    }
    at_ += octal ? 0 : 1;
    unsigned long code = 0;
    const std::string_view written = source().substr(std::min(at_, source().size()), width);
    const auto [end, error] = std::from_chars(written.data(), written.data() + written.size(), code, octal ? 8 : 16);
    const auto used = static_cast<std::size_t>(end - written.data());
    const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
    if (error != std::errc() || (!octal && used != width) || code > (form.bytes ? 0xFFUL : 0x10FFFFUL) || surrogate) {
        at_ = begin;
        fail("an escape is not a character that is supported");
        return false;
    }
    at_ += used;
    if (form.bytes) {
        into += static_cast<char>(code);
    } else {
        append_utf8(into, static_cast<char32_t>(code));
    }
    return true;
}

bool expression_parser::formatted_parts(const quoting& form, bool specification, std::vector<node_id>& parts) {
    const std::string end(form.triple ? 3 : 1, form.quote);
    std::size_t begin = at_;
    std::string text;
    const auto flush = [&] {
        const bool kept_it = text.empty() || kept(parts, add(node_kind::text, begin, {}, std::move(text))) != no_node;
        text.clear();
        begin = at_;
        return kept_it;
    };
    while (!at_end() && !sees(end) && !(specification && peek() == '}')) {
        const bool doubled = !specification && (sees("{{") || sees("}}"));
        if (doubled) {
            text += peek();
            at_ += 2;
        } else if (peek() == '}') {
            fail("a single `}` in an f-string");
            return false;
        } else if (peek() != '{') {
            if (!character(form, text)) {
                return false;
            }
        } else {
            ++at_;
            std::vector<node_id> field_parts;
            if (!field(form, text, field_parts) || !flush()) {
                return false;
            }
            parts.insert(parts.end(), field_parts.begin(), field_parts.end());
        }
    }
    return flush();
}

/// Parses a field after its `{`. For `{x=}`, appends the source to the text before.
bool expression_parser::field(const quoting& form, std::string& text_before, std::vector<node_id>& parts) {
    const nesting nested(*this);
    if (!nested.fits()) {
        too_deep();
        return false;
    }
    const std::size_t begin = at_;
    ++brackets_;
    const node_id value = items_until("}!:=", false);
    if (value == no_node) {
        return false;
    }
    const bool with_source = take('=');
    skip_blanks();
    if (with_source) {
        text_before += source().substr(begin, at_ - begin);
    }
    std::string conversion;
    if (take('!')) {
        conversion = word();
        at_ += conversion.size();
        if (conversion != "r" && conversion != "s" && conversion != "a") {
            fail("a conversion is !r, !s or !a");
            return false;
        }
        skip_blanks();
    }
    --brackets_;
    node_id specification = no_node;
    if (take(':')) {
        std::vector<node_id> pieces;
        const std::size_t first = at_;
        if (!formatted_parts(form, true, pieces)) {
            return false;
        }
        specification = add(node_kind::formatted, first, std::move(pieces));
    } else if (with_source && conversion.empty()) {
        conversion = "r";
    }
    if (!take('}')) {
        fail("a field of an f-string is not closed");
        return false;
    }
    return kept(parts, add(node_kind::field, begin, {value, specification}, std::move(conversion))) != no_node;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
