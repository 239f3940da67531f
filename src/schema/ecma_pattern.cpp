#include "schema/ecma_pattern.hpp"

#include <pyaichat/core/text.hpp>

#include "schema/unicode_property.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr std::string_view white_space =
    R"(\t\n\x{0b}\f\r \x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff})";
// PCRE2 cannot subtract classes, so the complement is spelled out.
constexpr std::string_view no_white_space =
    R"(\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e})"
    R"(\x{2060}-\x{2fff}\x{3001}-\x{d7ff}\x{e000}-\x{fefe}\x{ff00}-\x{10ffff})";

std::string code_point(std::uint32_t value) {
    std::array<char, 16> text{};
    std::snprintf(text.data(), text.size(), "\\x{%x}", static_cast<unsigned>(value));
    return text.data();
}

class translator {
public:
    explicit translator(std::string_view pattern) : rest_(pattern) {}

    result<std::string> run() {
        skip_leading_anything();
        while (!rest_.empty() && error_.empty()) {
            atom();
        }
        if (error_.empty()) {
            return std::move(out_);
        }
        return failure{.code = errc::invalid_argument, .message = error_, .hint = "Use a regular expression of ECMA-262."};
    }

private:
    bool take(std::string_view text) {
        if (!rest_.starts_with(text)) {
            return false;
        }
        rest_.remove_prefix(text.size());
        return true;
    }

    char next() {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        return c;
    }

    /// All bytes of the next character, because messages must be valid UTF-8.
    [[nodiscard]] std::string_view next_character() const {
        std::size_t length = std::min<std::size_t>(1, rest_.size());
        while (length < rest_.size() && (static_cast<unsigned char>(rest_[length]) & 0xC0) == 0x80) {
            ++length;
        }
        return rest_.substr(0, length);
    }

    void refuse(std::string why) {
        if (error_.empty()) {
            error_ = std::move(why);
        }
    }

    /// A search for `x` succeeds exactly when one for `.*x` does, but fails in linear instead of quadratic time.
    void skip_leading_anything() {
        while (rest_.starts_with(".*") && rest_.substr(2, 1) != "+" && rest_.substr(2, 1) != "*") {
            rest_.remove_prefix(rest_.substr(2, 1) == "?" ? 3 : 2);
        }
    }

    void atom() {
        if (take("(?")) {
            group();
            return;
        }
        if (rest_.starts_with("(*")) {
            refuse("there is nothing to repeat before \"*\"");
            return;
        }
        switch (const char c = next()) {
            case '\\': escape(false); break;
            case '[': character_class(); break;
            case '.': out_ += R"([^\n\r\x{2028}\x{2029}])"; break;
            case '(':
            case '|':
            case '^':
            case '$': out_ += c; return;
            case '*':
            case '+':
            case '?': refuse(std::string("there is nothing to repeat before \"") + c + '"'); return;
            case '{':
            case '}':
            case ']': out_ += {'\\', c}; break;
            default: out_ += c;
        }
        quantifier();
    }

    void group() {
        for (const std::string_view opening : {":", "=", "!", "<=", "<!"}) {
            if (take(opening)) {
                out_ += "(?";
                out_ += opening;
                return;
            }
        }
        if (take("<")) {
            out_ += "(?<" + group_name() + ">";
            return;
        }
        refuse("\"(?" + std::string(next_character()) + "\" is not a group of ECMA-262");
    }

    std::string group_name() {
        const std::size_t end = rest_.find('>');
        const std::string_view name = rest_.substr(0, end);
        const auto in_name = [](char c) { return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80; };
        if (end == rest_.npos || name.empty() || is_digit(name.front()) || !std::all_of(name.begin(), name.end(), in_name)) {
            refuse("the name of a group is not valid");
            return {};
        }
        rest_.remove_prefix(end + 1);
        return std::string(name);
    }

    void quantifier() {
        if (const std::size_t length = quantifier_length(); length != 0) {
            out_ += rest_.substr(0, length);
            rest_.remove_prefix(length);
            if (take("?")) {
                out_ += '?';
            }
            if (quantifier_length() != 0) {
                refuse("there is nothing to repeat before \"" + std::string(rest_.substr(0, 1)) + '"');
            }
        }
    }

    [[nodiscard]] std::size_t quantifier_length() const {
        if (!rest_.starts_with('{')) {
            return rest_.starts_with('*') || rest_.starts_with('+') || rest_.starts_with('?') ? 1 : 0;
        }
        const auto after_digits = [&](std::size_t at) { return std::min(rest_.find_first_not_of("0123456789", at), rest_.size()); };
        std::size_t at = after_digits(1);
        if (at == 1) {
            return 0;
        }
        if (rest_.substr(at, 1) == ",") {
            at = after_digits(at + 1);
        }
        return rest_.substr(at, 1) == "}" ? at + 1 : 0;
    }

    /// Translates an escape after its backslash. Returns whether it stands for a set of characters.
    bool escape(bool in_class) {
        if (rest_.empty()) {
            refuse("it ends with a backslash");
            return false;
        }
        const char c = next();
        switch (c) {
            case 'd':
            case 'D':
            case 'w':
            case 'W': out_ += {'\\', c}; return true;
            case 's':
            case 'S':
                out_ += in_class ? "" : "[";
                out_ += c == 's' ? white_space : no_white_space;
                out_ += in_class ? "" : "]";
                return true;
            case 'p':
            case 'P': property(c); return true;
            case 't':
            case 'n':
            case 'r':
            case 'f': out_ += {'\\', c}; return false;
            case 'v': out_ += code_point(0x0b); return false;
            case 'c': control(); return false;
            case 'x': number(hexadecimal(2), c); return false;
            case 'u': number(unicode(), c); return false;
            case 'b': out_ += "\\b"; return false;
            default: break;
        }
        if (!in_class && c == 'B') {
            out_ += "\\B";
        } else if (!in_class && c == 'k' && take("<")) {
            out_ += "\\k<" + group_name() + ">";
        } else if (c == '0' && (rest_.empty() || !is_digit(rest_.front()))) {
            out_ += code_point(0);
        } else if (!in_class && c >= '1' && c <= '9') {
            back_reference(c);
        } else if (is_letter(c) || is_digit(c)) {
            refuse(std::string("\"\\") + c + "\" is not an escape of ECMA-262" + (c == 'A' || c == 'Z' || c == 'z' ? ": use ^ and $" : ""));
        } else {
            literal(c);
        }
        return false;
    }

    /// PCRE2 allows a backslash before any ASCII character that is not a letter or digit.
    void literal(char c) {
        if (c > 0 && c != '\n' && c != '\r') {
            out_ += '\\';
        }
        out_ += c;
    }

    void back_reference(char first) {
        const std::string_view more = rest_.substr(0, rest_.find_first_not_of("0123456789"));
        out_ += std::string("\\g{") + first + std::string(more) + '}';
        rest_.remove_prefix(more.size());
    }

    void control() {
        if (rest_.empty() || !is_letter(rest_.front())) {
            refuse("\"\\c\" needs a letter");
            return;
        }
        out_ += code_point(static_cast<std::uint32_t>(next()) % 32);
    }

    void number(std::optional<std::uint32_t> value, char letter) {
        if (!value || *value > 0x10ffff || (*value >= 0xd800 && *value <= 0xdfff)) {
            refuse(std::string("\"\\") + letter + "\" is not followed by the number of a character");
            return;
        }
        out_ += code_point(*value);
    }

    std::optional<std::uint32_t> hexadecimal(std::size_t digits) {
        std::uint32_t value = 0;
        for (std::size_t i = 0; i < digits; ++i) {
            const int digit = rest_.empty() ? -1 : hex_digit(rest_.front());
            if (digit < 0) {
                return std::nullopt;
            }
            value = value * 16 + static_cast<std::uint32_t>(digit);
            rest_.remove_prefix(1);
        }
        return value;
    }

    std::optional<std::uint32_t> unicode() {
        if (take("{")) {
            const std::size_t digits = rest_.find('}');
            if (digits == 0 || digits > 8) {
                return std::nullopt;
            }
            const auto value = hexadecimal(digits);
            rest_.remove_prefix(rest_.empty() ? 0 : 1);
            return value;
        }
        const auto high = hexadecimal(4);
        if (high && *high >= 0xd800 && *high <= 0xdbff && take("\\u")) {
            const auto low = hexadecimal(4);
            return low && *low >= 0xdc00 && *low <= 0xdfff ? std::optional(0x10000 + (*high - 0xd800) * 0x400 + (*low - 0xdc00))
                                                           : std::nullopt;
        }
        return high;
    }

    void property(char letter) {
        const std::size_t end = rest_.find('}');
        if (!rest_.starts_with('{') || end == rest_.npos) {
            refuse(std::string("\"\\") + letter + "\" needs a name in braces");
            return;
        }
        const std::string name = pcre_property(rest_.substr(1, end - 1));
        if (name.empty()) {
            refuse("\"" + one_line(rest_.substr(1, end - 1), 40) + "\" is not a property of characters");
            return;
        }
        out_ += std::string{'\\', letter} + '{' + name + '}';
        rest_.remove_prefix(end + 1);
    }

    void character_class() {
        out_ += '[';
        if (take("^")) {
            out_ += '^';
        }
        bool after_set = false;
        while (!rest_.empty() && error_.empty()) {
            const char c = next();
            if (c == ']') {
                out_ += ']';
                return;
            }
            if (c == '\\') {
                after_set = escape(true);
                continue;
            }
            // A set cannot be the end of a range, so a hyphen next to a set is literal.
            if (c == '-' && (after_set || next_is_set())) {
                out_ += "\\-";
            } else {
                out_ += c == '[' ? "\\[" : std::string(1, c);
            }
            after_set = false;
        }
        refuse("a \"[\" is not closed");
    }

    [[nodiscard]] bool next_is_set() const {
        return rest_.size() > 1 && rest_[0] == '\\' && std::string_view("dDwWsSpP").find(rest_[1]) != std::string_view::npos;
    }

    std::string_view rest_;
    std::string out_;
    std::string error_;
};

}  // namespace

result<std::string> pcre_from_ecma(std::string_view pattern) {
    if (!is_utf8(pattern)) {
        return failure{.code = errc::invalid_argument, .message = "it is not UTF-8", .hint = "Write the pattern in UTF-8."};
    }
    return translator(pattern).run();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
