#include "offline/python_literal.hpp"

#include <pyaichat/core/text.hpp>

#include <string>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

constexpr int deepest_literal = 16;

/// Reads one literal from the beginning of a text.
class literal_reader {
public:
    explicit literal_reader(std::string_view text) : rest_(trimmed(text)) {}

    [[nodiscard]] std::optional<json> whole() {
        std::optional<json> value = read(deepest_literal);
        return value && trimmed(rest_).empty() ? std::move(value) : std::nullopt;
    }

private:
    [[nodiscard]] bool take(char wanted) {
        rest_ = trimmed(rest_);
        const bool found = rest_.starts_with(wanted);
        rest_.remove_prefix(found ? 1 : 0);
        return found;
    }

    std::optional<json> read(int depth) {
        rest_ = trimmed(rest_);
        if (rest_.empty() || depth == 0) {
            return std::nullopt;
        }
        switch (rest_.front()) {
            case '[': return list(']', depth);
            case '(': return list(')', depth);
            case '{': return dict(depth);
            case '\'':
            case '"': return text();
            default: return word();
        }
    }

    std::optional<json> list(char end, int depth) {
        rest_.remove_prefix(1);
        json all = json::array();
        while (!take(end)) {
            if (!all.empty() && !take(',')) {
                return std::nullopt;
            }
            if (!all.empty() && take(end)) {
                break;  // `(1,)`
            }
            std::optional<json> element = read(depth - 1);
            if (!element) {
                return std::nullopt;
            }
            all.push_back(*std::move(element));
        }
        return all;
    }

    std::optional<json> dict(int depth) {
        rest_.remove_prefix(1);
        json all = json::object();
        while (!take('}')) {
            if (!all.empty() && !take(',')) {
                return std::nullopt;
            }
            const std::optional<json> key = read(depth - 1);
            const std::optional<std::string_view> name = key ? as_string(*key) : std::nullopt;
            std::optional<json> value = name && take(':') ? read(depth - 1) : std::nullopt;
            if (!value) {
                return std::nullopt;
            }
            all[std::string(*name)] = *std::move(value);
        }
        return all;
    }

    /// A text with escapes other than of quotes, backslashes and line ends is left to people.
    std::optional<json> text() {
        const char quote = rest_.front();
        std::string out;
        for (std::size_t at = 1; at < rest_.size(); ++at) {
            const char byte = rest_[at];
            if (byte == quote) {
                rest_.remove_prefix(at + 1);
                return json(std::move(out));
            }
            if (byte != '\\') {
                out += byte;
                continue;
            }
            constexpr std::string_view names = "\\'\"nrt";
            constexpr std::string_view characters = "\\'\"\n\r\t";
            const std::size_t found = ++at < rest_.size() ? names.find(rest_[at]) : std::string_view::npos;
            if (found == std::string_view::npos) {
                return std::nullopt;
            }
            out += characters[found];
        }
        return std::nullopt;
    }

    std::optional<json> word() {
        std::size_t end = 0;
        while (end < rest_.size() &&
               (is_digit(rest_[end]) || is_letter(rest_[end]) || rest_[end] == '.' || rest_[end] == '+' || rest_[end] == '-')) {
            ++end;
        }
        const std::string_view found = rest_.substr(0, end);
        rest_.remove_prefix(end);
        if (found == "None") {
            return json();
        }
        if (found == "True" || found == "False") {
            return json(found == "True");
        }
        const result<json> number = parse_json(found);
        return number && number->is_number() ? std::optional(*number) : std::nullopt;
    }

    std::string_view rest_;
};

}  // namespace

std::optional<json> read_python_literal(std::string_view printed) {
    return literal_reader(printed).whole();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
