#include "python/python_lexer.hpp"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

namespace repl {

namespace {

constexpr std::size_t npos = std::string_view::npos;
constexpr std::size_t max_nested_f_strings = 16;  // deeper ones are plain strings: an unclosed one costs a scan of its line on each level

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}

bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

constexpr std::array<std::string_view, 5> long_operators = {"**=", "//=", "<<=", ">>=", "..."};
constexpr std::array<std::string_view, 19> two_byte_operators = {
    "**", "//", "<<", ">>", "<=", ">=", "==", "!=", "->", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", ":="};

class lexer {
public:
    explicit lexer(std::string_view text) : text_(text) { out_.tokens.reserve(text.size() / 4); }

    python_tokens run() {
        while (at_ < text_.size()) {
            if (!open().empty() && (top().what == open_level::kind::f_string || top().what == open_level::kind::spec)) {
                f_string_text();
            } else {
                code();
            }
        }
        return std::move(out_);
    }

private:
    std::vector<open_level>& open() { return out_.open; }
    open_level& top() { return out_.open.back(); }
    char peek(std::size_t ahead = 0) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\0'; }

    void push(std::size_t begin, std::size_t end, token_kind kind) {
        out_.tokens.push_back({.begin = begin, .end = end, .kind = kind, .depth = static_cast<std::uint32_t>(open().size())});
        at_ = end;
    }
    void fail(std::size_t begin, std::size_t end) {
        out_.hopeless = true;
        if (begin < end) {  // an unclosed f-string may end behind its quote
            push(begin, end, token_kind::error);
        }
    }

    /// How many bytes the line end at `at` has; 0 if there is none.
    std::size_t line_end(std::size_t at) const {
        if (at >= text_.size()) {
            return 0;
        }
        if (text_[at] == '\n') {
            return 1;
        }
        return text_[at] == '\r' ? (at + 1 < text_.size() && text_[at + 1] == '\n' ? 2 : 1) : 0;
    }

    void code();
    void backslash();
    void number();
    void op();
    bool close(char c);
    void name_or_string();
    void string(std::size_t begin, std::size_t quote_at, bool raw, bool formatted);
    void f_string_text();
    bool f_string_brace(std::size_t begin);
    bool ends_enclosing(char quote, bool triple) const;
    void leave_f_string();

    std::string_view text_;
    std::size_t at_ = 0;
    python_tokens out_;
    std::vector<std::size_t> f_strings_;  ///< positions among the open levels
};

void lexer::code() {
    const char c = peek();
    if (const std::size_t end = line_end(at_); end > 0) {
        if (open().empty()) {
            push(at_, at_ + end, token_kind::newline);
        } else {
            at_ += end;
        }
    } else if (c == ' ' || c == '\t' || c == '\f') {
        ++at_;
    } else if (c == '#') {
        push(at_, std::min(text_.find_first_of("\r\n", at_), text_.size()), token_kind::comment);
    } else if (c == '\\') {
        backslash();
    } else if (is_digit(c) || (c == '.' && is_digit(peek(1)))) {
        number();
    } else if (c == '"' || c == '\'') {
        string(at_, at_, false, false);
    } else if (is_name_byte(c)) {
        name_or_string();
    } else {
        op();
    }
}

void lexer::backslash() {
    if (const std::size_t end = line_end(at_ + 1); end > 0) {
        at_ += 1 + end;
        out_.ends_with_backslash = at_ == text_.size();
    } else if (at_ + 1 == text_.size()) {
        ++at_;
        out_.ends_with_backslash = true;
    } else {
        fail(at_, at_ + 1);
    }
}

void lexer::number() {
    const std::size_t begin = at_;
    const bool hexadecimal = peek() == '0' && lower(peek(1)) == 'x';
    std::size_t end = at_;
    bool has_point = false;
    while (end < text_.size()) {
        const char c = text_[end];
        const bool exponent = !hexadecimal && end > begin && lower(text_[end - 1]) == 'e' && (c == '+' || c == '-');
        if (!is_digit(c) && !is_letter(c) && c != '_' && c != '.' && !exponent) {
            break;
        }
        if (c == '.' && (has_point || (end > begin && is_letter(text_[end - 1])))) {
            break;  // `1j.real`, `1..real`
        }
        has_point = has_point || c == '.';
        ++end;
    }
    push(begin, end, token_kind::number);
}

void lexer::op() {
    const char c = peek();
    const std::string_view rest = text_.substr(at_);
    const bool in_field = !open().empty() && top().what == open_level::kind::field;
    if (c == '(' || c == '[' || c == '{') {
        push(at_, at_ + 1, token_kind::op);
        open().push_back({.at = at_ - 1, .what = open_level::kind::bracket, .mark = c});
        return;
    }
    if (c == ')' || c == ']' || c == '}') {
        if (!close(c)) {
            fail(at_, at_ + 1);
        }
        return;
    }
    if (in_field && c == ':') {
        const open_level field = top();
        push(at_, at_ + 1, token_kind::op);
        open().push_back({.at = at_ - 1, .what = open_level::kind::spec, .mark = field.mark, .triple = field.triple, .raw = field.raw});
        return;
    }
    for (const std::string_view each : long_operators) {
        if (rest.starts_with(each)) {
            return push(at_, at_ + 3, token_kind::op);
        }
    }
    for (const std::string_view each : two_byte_operators) {
        if (rest.starts_with(each)) {
            return push(at_, at_ + 2, token_kind::op);
        }
    }
    if (std::string_view("+-*/%@&|^~<>=.,:;").find(c) != npos || (in_field && c == '!')) {
        return push(at_, at_ + 1, token_kind::op);
    }
    fail(at_, at_ + 1);
}

/// Closes the bracket or the replacement field that `c` belongs to. Returns false if there is none.
bool lexer::close(char c) {
    if (open().empty()) {
        return false;
    }
    const bool field = top().what == open_level::kind::field;
    const char opening = c == ')' ? '(' : c == ']' ? '[' : '{';
    if (field ? c != '}' : top().mark != opening) {
        return false;
    }
    open().pop_back();
    push(at_, at_ + 1, token_kind::op);
    return true;
}

void lexer::name_or_string() {
    const std::size_t begin = at_;
    std::size_t end = at_;
    while (end < text_.size() && is_name_byte(text_[end])) {
        ++end;
    }
    const bool quoted = end < text_.size() && (text_[end] == '"' || text_[end] == '\'');
    if (quoted && end - begin <= 2) {
        char prefix[2] = {lower(text_[begin]), end - begin == 2 ? lower(text_[begin + 1]) : '\0'};
        if (prefix[0] == 'r' && prefix[1] != '\0') {
            std::swap(prefix[0], prefix[1]);
        }
        const bool raw = prefix[0] == 'r' || prefix[1] == 'r';
        const bool formatted = prefix[0] == 'f';
        const bool known = prefix[1] == '\0' ? std::string_view("rbfu").find(prefix[0]) != npos
                                             : prefix[1] == 'r' && (prefix[0] == 'b' || prefix[0] == 'f');
        if (known) {
            return string(begin, end, raw, formatted);
        }
    }
    push(begin, end, token_kind::name);
}

/// Whether the innermost f-string, in whose field the text is, has these quotes.
bool lexer::ends_enclosing(char quote, bool triple) const {
    if (f_strings_.empty()) {
        return false;
    }
    const open_level& around = out_.open[f_strings_.back()];
    return around.mark == quote && around.triple == triple;
}

/// Leaves the innermost f-string and all that is open in it.
void lexer::leave_f_string() {
    open().resize(f_strings_.back());
    f_strings_.pop_back();
}

void lexer::string(std::size_t begin, std::size_t quote_at, bool raw, bool formatted) {
    const char quote = text_[quote_at];
    const bool triple = text_.substr(quote_at).starts_with(std::string(3, quote));
    const std::size_t width = triple ? 3 : 1;
    if (formatted && f_strings_.size() < max_nested_f_strings) {
        push(begin, quote_at + width, token_kind::string);
        f_strings_.push_back(open().size());
        open().push_back({.at = begin, .what = open_level::kind::f_string, .mark = quote, .triple = triple, .raw = raw});
        out_.in_string = triple && at_ == text_.size();
        out_.hopeless = out_.hopeless || (!triple && at_ == text_.size());
        return;
    }
    std::size_t at = quote_at + width;
    bool backslash_at_end = false;
    while (at < text_.size()) {
        if (text_[at] == '\\' && at + 1 < text_.size()) {
            at += 1 + std::max<std::size_t>(line_end(at + 1), 1);
        } else if (text_[at] == quote && (!triple || (at + 2 < text_.size() && text_[at + 1] == quote && text_[at + 2] == quote))) {
            return push(begin, at + width, token_kind::string);
        } else if (!triple && line_end(at) > 0) {
            break;
        } else {
            backslash_at_end = text_[at] == '\\';
            ++at;
        }
    }
    if (quote_at == begin && ends_enclosing(quote, triple)) {  // the field lacks its brace
        leave_f_string();
        return fail(begin, begin + width);
    }
    if (at < text_.size() || (!triple && !backslash_at_end)) {
        return fail(begin, std::min(at, text_.size()));
    }
    push(begin, text_.size(), token_kind::string);
    out_.in_string = true;
}

/// Handles a brace in an f-string. Returns false if it is text.
bool lexer::f_string_brace(std::size_t begin) {
    const bool in_spec = top().what == open_level::kind::spec;
    const char c = peek();
    if (!in_spec && peek(1) == c) {
        at_ += 2;
        return false;
    }
    if (at_ > begin) {
        push(begin, at_, token_kind::string);
    }
    if (c == '{') {
        const open_level around = top();
        push(at_, at_ + 1, token_kind::op);
        open().push_back({.at = at_ - 1, .what = open_level::kind::field, .mark = around.mark, .triple = around.triple, .raw = around.raw});
    } else if (in_spec) {
        open().pop_back();
        open().pop_back();
        push(at_, at_ + 1, token_kind::op);
    } else {
        fail(at_, at_ + 1);
    }
    return true;
}

/// The text of an f-string up to the next field, or to its end.
void lexer::f_string_text() {
    const std::size_t begin = at_;
    const open_level level = top();
    const std::size_t width = level.triple ? 3 : 1;
    bool backslash_at_end = false;
    while (at_ < text_.size()) {
        const char c = peek();
        if (c == '{' || c == '}') {
            if (f_string_brace(begin)) {
                return;
            }
        } else if (c == '\\' && !level.raw && peek(1) == 'N' && peek(2) == '{') {
            at_ = std::min(text_.find_first_of("}\r\n\"'", at_ + 3), text_.size());
            at_ += peek() == '}' ? 1 : 0;
        } else if (c == '\\' && at_ + 1 < text_.size() && peek(1) != '{' && peek(1) != '}') {
            at_ += 1 + std::max<std::size_t>(line_end(at_ + 1), 1);
        } else if (c == level.mark && (!level.triple || (peek(1) == c && peek(2) == c))) {
            leave_f_string();
            return push(begin, at_ + width, token_kind::string);
        } else if (!level.triple && line_end(at_) > 0) {
            leave_f_string();
            return fail(begin, at_);
        } else {
            backslash_at_end = c == '\\';
            ++at_;
        }
    }
    at_ = text_.size();
    if (!level.triple && !backslash_at_end) {
        leave_f_string();
        return fail(begin, at_);
    }
    if (begin < at_) {
        push(begin, at_, token_kind::string);
    }
    out_.in_string = true;
}

}  // namespace

bool is_name_byte(char c) noexcept {
    return is_letter(c) || is_digit(c) || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

python_tokens lex_python(std::string_view text) {
    return lexer(text).run();
}

}  // namespace repl
