#include "schema/pattern_support.hpp"

#include <pyaichat/core/text.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Reads an expression from left to right until something that the service does not accept.
class pattern_reader {
public:
    pattern_reader(bool plain, std::uint64_t max_count, std::string_view text) : plain_(plain), max_count_(max_count), rest_(text) {}

    [[nodiscard]] bool accepts() noexcept {
        if (plain_) {
            if (rest_.size() < 2 || !rest_.starts_with('^') || !rest_.ends_with('$') || rest_.ends_with("\\$")) {
                return false;
            }
            rest_ = rest_.substr(1, rest_.size() - 2);
        }
        while (!rest_.empty()) {
            if (!atom()) {
                return false;
            }
        }
        return !in_class_;
    }

private:
    [[nodiscard]] bool atom() noexcept {
        const char c = rest_.front();
        rest_.remove_prefix(1);
        if (c == '\\') {
            return escape();
        }
        if (in_class_) {
            in_class_ = c != ']';
            return true;
        }
        switch (c) {
            case '[': in_class_ = true; return !rest_.starts_with(']') && !rest_.starts_with("^]");
            case '(': return group();
            case '^':
            case '$': return !plain_;
            case '{': return count();
            case '*':
            case '+':
            case '?': return !plain_ || !is_quantifier(rest_);  // lazy
            default: return true;
        }
    }

    [[nodiscard]] static bool is_quantifier(std::string_view text) noexcept {
        return text.starts_with('?') || text.starts_with('*') || text.starts_with('+') || text.starts_with('{');
    }

    [[nodiscard]] bool escape() noexcept {
        if (rest_.empty()) {
            return false;
        }
        const char c = rest_.front();
        rest_.remove_prefix(1);
        if (!is_letter(c) && !is_digit(c)) {
            return true;
        }
        return std::string_view(plain_ ? "nrt" : "nrtfvdDwWsS").find(c) != std::string_view::npos;
    }

    [[nodiscard]] bool group() noexcept {
        if (!rest_.starts_with('?')) {
            return true;
        }
        const bool without_capture = !plain_ && rest_.starts_with("?:");
        rest_.remove_prefix(without_capture ? 2 : 0);
        return without_capture;
    }

    [[nodiscard]] bool count() noexcept {
        std::uint64_t number = 0;
        while (!rest_.empty() && rest_.front() != '}') {
            const char c = rest_.front();
            rest_.remove_prefix(1);
            number = is_digit(c) ? number * 10 + static_cast<std::uint64_t>(c - '0') : 0;
            if (number > max_count_ || (!is_digit(c) && c != ',')) {
                return false;
            }
        }
        if (rest_.empty()) {
            return false;
        }
        rest_.remove_prefix(1);
        return !plain_ || !is_quantifier(rest_);
    }

    bool plain_;
    std::uint64_t max_count_;
    std::string_view rest_;
    bool in_class_ = false;
};

}  // namespace

bool accepts_pattern(pattern_support support, std::uint64_t max_count, std::string_view pattern) noexcept {
    switch (support) {
        case pattern_support::none: return false;
        case pattern_support::all: return true;
        case pattern_support::plain:
        case pattern_support::regular: break;
    }
    return pattern_reader(support == pattern_support::plain, max_count, pattern).accepts();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
