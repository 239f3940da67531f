#include "assistant/inline_markdown.hpp"

#include "editor/style_table.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

/// An opening mark is held back until its closing mark arrives. After this many bytes it counts as text, so that nothing stays hidden.
constexpr std::size_t longest_held = 600;
constexpr std::size_t undecided = std::string_view::npos;
constexpr std::size_t absent = undecided - 1;

bool is_word(char c) {
    return pyaichat::detail::is_letter(c) || pyaichat::detail::is_digit(c) || static_cast<unsigned char>(c) >= 0x80;
}

bool is_punctuation(char c) {
    return c > ' ' && c < 0x7F && !pyaichat::detail::is_letter(c) && !pyaichat::detail::is_digit(c);
}

std::size_t run_length(std::string_view text, std::size_t at) {
    std::size_t end = at;
    while (end < text.size() && text[end] == text[at]) {
        ++end;
    }
    return end - at;
}

std::string with_code(const std::string& codes, text_style style) {
    return codes.empty() ? std::string(style_parameters(style)) : codes + ";" + std::string(style_parameters(style));
}

/// Decides about the element at the begin of a text.
class inline_reader {
public:
    inline_reader(std::string_view text, bool ended) : text_(text), ended_(ended || text.size() > longest_held) {}

    /// The position of the closing run of backticks for the one at `at`, `absent` or `undecided`.
    [[nodiscard]] std::size_t closing_backticks(std::size_t at) const {
        const std::size_t length = run_length(text_, at);
        for (std::size_t i = at + length; i < text_.size();) {
            if (text_[i] != '`') {
                ++i;
                continue;
            }
            const std::size_t found = run_length(text_, i);
            if (i + found == text_.size() && !ended_) {
                return undecided;
            }
            if (found == length) {
                return i;
            }
            i += found;
        }
        return ended_ ? absent : undecided;
    }

    /// The position of the run that closes the emphasis that the run at 0 opens, `absent` or `undecided`.
    [[nodiscard]] std::size_t closing_stars(std::size_t length) const {
        const char mark = text_.front();
        for (std::size_t i = length; i < text_.size();) {
            if (text_[i] == '\\') {
                i += 2;
            } else if (text_[i] == '`') {
                const std::size_t close = closing_backticks(i);
                if (close == undecided) {
                    return undecided;
                }
                i = (close == absent ? i : close) + run_length(text_, i);
            } else if (text_[i] == mark) {
                const std::size_t found = run_length(text_, i);
                if (i + found == text_.size() && !ended_) {
                    return undecided;
                }
                const bool in_word = i + found < text_.size() && is_word(text_[i + found]);
                if (found == length && !pyaichat::detail::is_space(text_[i - 1]) && !(mark == '_' && in_word)) {
                    return i;
                }
                i += found;
            } else {
                ++i;
            }
        }
        return ended_ ? absent : undecided;
    }

    /// The position of the `]` of a link whose text begins behind the bracket at `at`, with `(` behind it; `absent` or `undecided`.
    [[nodiscard]] std::size_t closing_bracket(std::size_t at) const {
        int depth = 0;
        for (std::size_t i = at; i < text_.size(); ++i) {
            depth += text_[i] == '[' ? 1 : text_[i] == ']' ? -1 : 0;
            if (depth == 0) {
                return i + 1 < text_.size() ? (text_[i + 1] == '(' ? i : absent) : ended_ ? absent : undecided;
            }
        }
        return ended_ ? absent : undecided;
    }

    [[nodiscard]] std::size_t closing_parenthesis(std::size_t at) const {
        int depth = 0;
        for (std::size_t i = at; i < text_.size(); ++i) {
            depth += text_[i] == '(' ? 1 : text_[i] == ')' ? -1 : 0;
            if (depth == 0) {
                return i;
            }
        }
        return ended_ ? absent : undecided;
    }

    [[nodiscard]] bool ended() const noexcept { return ended_; }

private:
    std::string_view text_;
    bool ended_;
};

/// Splits one text. `take` functions return the number of bytes of the element at the begin, 0 if it is undecided.
class inline_splitter {
public:
    inline_splitter(const std::string& codes, std::vector<marked_text>& out) : codes_(codes), out_(out) {}

    std::size_t split(std::string_view text, char before, bool ended) {
        std::size_t at = 0;
        while (at < text.size()) {
            const std::size_t taken = take(text.substr(at), at == 0 ? before : text[at - 1], ended);
            if (taken == 0) {
                break;
            }
            at += taken;
        }
        return at;
    }

private:
    std::size_t take(std::string_view rest, char before, bool ended) {
        const inline_reader reader(rest, ended);
        switch (rest.front()) {
            case '\\': return take_escape(rest, reader);
            case '`': return take_code(rest, reader);
            case '*':
            case '_': return take_emphasis(rest, before, reader);
            case '!':
                if (rest.size() == 1 && !ended) {
                    return 0;
                }
                return rest.starts_with("![") ? take_link(rest, 1, reader) : add(rest.substr(0, 1));
            case '[': return take_link(rest, 0, reader);
            default: return add(rest.substr(0, std::min(rest.find_first_of("\\`*_![", 1), rest.size())));
        }
    }

    std::size_t take_escape(std::string_view rest, const inline_reader& reader) {
        if (rest.size() == 1) {
            return reader.ended() ? add(rest) : 0;
        }
        if (is_punctuation(rest[1])) {
            add(rest.substr(1, 1));
            return 2;
        }
        return add(rest.substr(0, 1));
    }

    std::size_t take_code(std::string_view rest, const inline_reader& reader) {
        const std::size_t length = run_length(rest, 0);
        const std::size_t close = reader.closing_backticks(0);
        if (close == undecided) {
            return 0;
        }
        if (close == absent) {
            return add(rest.substr(0, length));
        }
        std::string_view code = rest.substr(length, close - length);
        if (code.size() > 2 && code.starts_with(' ') && code.ends_with(' ')) {
            code = code.substr(1, code.size() - 2);
        }
        out_.push_back({with_code(codes_, text_style::code), std::string(code)});
        return close + length;
    }

    std::size_t take_emphasis(std::string_view rest, char before, const inline_reader& reader) {
        const std::size_t length = run_length(rest, 0);
        if (length == rest.size()) {
            return reader.ended() ? add(rest) : 0;
        }
        // `2*x*y` is a product and `a_b_c` a name, not emphasis.
        const bool in_word = is_word(before) && (length == 1 || rest.front() == '_');
        if (length > 3 || in_word || pyaichat::detail::is_space(rest[length])) {
            return add(rest.substr(0, length));
        }
        const std::size_t close = reader.closing_stars(length);
        if (close == undecided) {
            return 0;
        }
        if (close == absent) {
            return add(rest.substr(0, length));
        }
        std::string codes = length >= 2 ? with_code(codes_, text_style::strong) : codes_;
        codes = length % 2 == 1 ? with_code(codes, text_style::emphasis) : codes;
        inline_splitter(codes, out_).split(rest.substr(length, close - length), '\0', true);
        return close + length;
    }

    /// `[text](address)`: the text, and the address behind it if it says something else.
    std::size_t take_link(std::string_view rest, std::size_t bracket, const inline_reader& reader) {
        const std::size_t close = reader.closing_bracket(bracket);
        const std::size_t end = close < absent ? reader.closing_parenthesis(close + 1) : close;
        if (end == undecided) {
            return 0;
        }
        if (end == absent) {
            return add(rest.substr(0, bracket + 1));
        }
        const std::string_view text = rest.substr(bracket + 1, close - bracket - 1);
        const std::string_view address = rest.substr(close + 2, end - close - 2);
        inline_splitter(codes_, out_).split(text, '\0', true);
        if (text != address && !address.empty()) {
            out_.push_back({with_code(codes_, text_style::dimmed), " (" + std::string(address) + ")"});
        }
        return end + 1;
    }

    std::size_t add(std::string_view text) {
        out_.push_back({codes_, std::string(text)});
        return text.size();
    }

    const std::string codes_;
    std::vector<marked_text>& out_;
};

}  // namespace

std::size_t split_inline(std::string_view text, char before, bool ended, const std::string& codes, std::vector<marked_text>& out) {
    return inline_splitter(codes, out).split(text, before, ended);
}

}  // namespace repl
