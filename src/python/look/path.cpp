#include "python/look/path.hpp"

#include "python/look/bounded_text.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr int max_tuple_depth = 8;

bool starts_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_keyword(std::string_view name) {
    constexpr std::array<std::string_view, 35> keywords = {
        "False",  "None",     "True", "and",    "as",   "assert", "async",   "await",  "break", "class",  "continue", "def",
        "del",    "elif",     "else", "except", "for",  "from",   "finally", "global", "if",    "import", "in",       "is",
        "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return",  "try",    "while", "with",   "yield"};
    return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

class path_reader {
public:
    explicit path_reader(std::string_view text) : text_(text) {}

    result<path> read() {
        path found;
        skip_blanks();
        bool fits = name(found.root);
        for (skip_blanks(); fits && at_ < text_.size(); skip_blanks()) {
            const std::size_t begin = at_;
            path_step next;
            fits = found.steps.size() < max_path_steps && step(next);
            next.text = text_.substr(begin, at_ - begin);
            found.steps.push_back(std::move(next));
        }
        return fits ? result<path>(std::move(found)) : refused();
    }

private:
    bool step(path_step& into) {
        if (take('.')) {
            skip_blanks();
            return name(into.attribute);
        }
        std::optional<path_key> key = take('[') ? keys_until(']', false, 0) : std::nullopt;
        into.key = key ? std::move(*key) : path_key{};
        return key.has_value();
    }

    failure refused() const {
        return failure{.code = errc::not_allowed,
                       .message = at_ < text_.size() ? "not a path from here on: " + pyaichat::detail::one_line(text_.substr(at_), 40)
                                                     : "the path ends too early"};
    }

    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }
    bool take(char c) {
        const bool found = at_ < text_.size() && text_[at_] == c;
        at_ += found ? 1 : 0;
        return found;
    }
    void skip_blanks() {
        while (peek() == ' ' || peek() == '\t' || peek() == '\n' || peek() == '\r') {
            ++at_;
        }
    }

    std::string_view word() {
        const std::size_t begin = at_;
        if (starts_name(peek())) {
            while (starts_name(peek()) || pyaichat::detail::is_digit(peek())) {
                ++at_;
            }
        }
        return text_.substr(begin, at_ - begin);
    }
    bool name(std::string& into) {
        const std::size_t begin = at_;
        into = word();
        const bool fits = !into.empty() && !is_keyword(into);
        at_ = fits ? at_ : begin;
        return fits;
    }

    /// Parses one key, or several with commas as a tuple (`d[1, 2]`), up to and including `closer`.
    std::optional<path_key> keys_until(char closer, bool may_be_empty, int depth) {
        path_key::tuple keys;
        bool is_tuple = may_be_empty;
        for (skip_blanks(); !(peek() == closer && (!keys.empty() || may_be_empty)); skip_blanks()) {
            std::optional<path_key> each = key(depth);
            if (!each) {
                return std::nullopt;
            }
            keys.push_back(std::move(*each));
            may_be_empty = false;
            skip_blanks();
            if (take(',')) {
                is_tuple = true;
            } else if (peek() != closer) {
                return std::nullopt;
            } else {
                is_tuple = is_tuple && keys.size() > 1;  // `(1)` is not a tuple
            }
        }
        if (!take(closer)) {
            return std::nullopt;
        }
        return is_tuple ? path_key{.value = std::move(keys)} : std::move(keys.front());
    }

    std::optional<path_key> key(int depth) {
        if (take('(')) {
            return depth == max_tuple_depth ? std::nullopt : keys_until(')', true, depth + 1);
        }
        const std::size_t begin = at_;
        std::optional<path_key> found = literal();
        if (!found) {
            at_ = begin;  // the message shows the whole literal
        }
        return found;
    }

    std::optional<path_key> literal() {
        if (pyaichat::detail::is_digit(peek()) || peek() == '-' || peek() == '+' || peek() == '.') {
            return number();
        }
        const std::string_view prefix = word();
        if (peek() == '\'' || peek() == '"') {
            const bool bytes = prefix == "b" || prefix == "B";
            const bool raw = prefix == "r" || prefix == "R";
            return bytes || raw || prefix.empty() || prefix == "u" ? text(bytes, raw) : std::nullopt;
        }
        if (prefix == "True" || prefix == "False") {
            return path_key{.value = prefix == "True"};
        }
        return prefix == "None" ? std::optional(path_key{.value = path_key::none{}}) : std::nullopt;
    }

    std::optional<path_key> number() {
        const bool negative = peek() == '-';
        at_ += negative || peek() == '+' ? 1 : 0;
        const std::size_t first = at_;
        while (pyaichat::detail::is_digit(peek()) || starts_name(peek()) || peek() == '.' ||
               ((peek() == '-' || peek() == '+') && at_ > first && (text_[at_ - 1] == 'e' || text_[at_ - 1] == 'E') && peek(1) != '\0' &&
                text_.substr(first, 2) != "0x" && text_.substr(first, 2) != "0X")) {
            ++at_;
        }
        const std::string_view digits = text_.substr(first, at_ - first);
        const bool based =
            digits.size() > 1 && digits[0] == '0' && !pyaichat::detail::is_digit(digits[1]) && digits.find_first_of(".eE") != 1;
        if (!based && digits.find_first_of(".eE") != std::string_view::npos) {
            double value = 0;
            const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), value);
            if (error == std::errc() && end == digits.data() + digits.size()) {
                return path_key{.value = negative ? -value : value};
            }
        } else if (!digits.empty() && pyaichat::detail::is_digit(digits[0])) {
            return path_key{.value = path_key::number{(negative ? "-" : "") + std::string(digits)}};
        }
        return std::nullopt;
    }

    std::optional<path_key> text(bool bytes, bool raw) {
        const char quote = text_[at_++];
        std::string value;
        while (at_ < text_.size() && peek() != quote && peek() != '\n') {
            if (peek() != '\\') {
                value += text_[at_++];
            } else if (raw) {
                value += text_[at_++];
                if (at_ < text_.size()) {
                    value += text_[at_++];
                }
            } else if (!escape(value, bytes)) {
                return std::nullopt;
            }
        }
        const bool triple = value.empty() && peek(1) == quote;
        if (triple || !take(quote) || (!bytes && !pyaichat::detail::is_utf8(value))) {
            return std::nullopt;
        }
        return bytes ? path_key{.value = path_key::bytes{std::move(value)}} : path_key{.value = std::move(value)};
    }

    bool escape(std::string& value, bool bytes) {
        ++at_;
        const char kind = peek();
        ++at_;
        constexpr std::string_view letters = "\\'\"abfnrtv";
        constexpr std::string_view meanings = "\\'\"\a\b\f\n\r\t\v";
        if (const std::size_t simple = letters.find(kind); kind != '\0' && simple != std::string_view::npos) {
            value += meanings[simple];
            return true;
        }
        const bool octal = kind >= '0' && kind <= '7';
        const std::size_t width = octal ? 3 : kind == 'x' ? 2 : kind == 'u' && !bytes ? 4 : kind == 'U' && !bytes ? 8 : 0;
        at_ -= octal ? 1 : 0;
        unsigned long code = 0;
        const std::string_view digits = text_.substr(std::min(at_, text_.size()), width);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), code, octal ? 8 : 16);
        const auto used = static_cast<std::size_t>(end - digits.data());
        const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
        if (error != std::errc() || (!octal && used != width) || code > (bytes ? 0xFFUL : 0x10FFFFUL) || surrogate) {
            return false;
        }
        at_ += used;
        if (bytes) {
            value += static_cast<char>(code);
        } else {
            append_utf8(value, static_cast<char32_t>(code));
        }
        return true;
    }

    std::string_view text_;
    std::size_t at_ = 0;
};

}  // namespace

result<path> parse_path(std::string_view text) {
    if (text.size() > max_path_bytes) {
        return failure{.code = errc::not_allowed, .message = "a path has at most " + std::to_string(max_path_bytes) + " bytes"};
    }
    return path_reader(text).read();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
