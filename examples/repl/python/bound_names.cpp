#include "python/bound_names.hpp"

#include "python/python_lexer.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>

namespace repl {

namespace {

struct source_token {
    std::string_view text;
    int depth = 0;  ///< of brackets
    bool is_name = false;
};

/// One logical line: its tokens without comments and strings.
struct source_line {
    std::size_t indent = 0;
    std::vector<source_token> tokens = {};
};

class line_reader {
public:
    explicit line_reader(std::string_view source) : source_(source) {}

    [[nodiscard]] std::vector<source_line> read() {
        while (at_ < source_.size()) {
            read_one();
        }
        finish_line();
        return std::move(lines_);
    }

private:
    void read_one() {
        const char c = source_[at_];
        if (c == '\n') {
            ++at_;
            if (depth_ == 0) {
                finish_line();
            }
        } else if (c == '\\') {
            at_ += 2;
        } else if (c == ' ' || c == '\t' || c == '\r') {
            line_.indent += at_line_begin_ ? 1 : 0;
            ++at_;
            return;
        } else if (c == '#') {
            at_ = std::min(source_.find('\n', at_), source_.size());
        } else if (c == '"' || c == '\'') {
            skip_string(c);
            add(source_.substr(at_ - 1, 1), false);  // a value in this place
        } else if (is_name_byte(c)) {
            read_word();
        } else {
            read_operator(c);
        }
        at_line_begin_ = c == '\n' && depth_ == 0;
    }

    void read_word() {
        const std::size_t begin = at_;
        while (at_ < source_.size() && is_name_byte(source_[at_])) {
            ++at_;
        }
        const bool is_prefix = at_ < source_.size() && (source_[at_] == '"' || source_[at_] == '\'') && at_ - begin <= 2;
        if (!is_prefix) {
            add(source_.substr(begin, at_ - begin), !pyaichat::detail::is_digit(source_[begin]));
        }
    }

    void skip_string(char quote) {
        const bool is_long = source_.substr(at_).starts_with(std::string(3, quote));
        const std::string end(is_long ? 3 : 1, quote);
        at_ += end.size();
        while (at_ < source_.size() && !source_.substr(at_).starts_with(end) && (is_long || source_[at_] != '\n')) {
            at_ += source_[at_] == '\\' ? 2 : 1;
        }
        at_ = std::min(at_ + end.size(), source_.size());
    }

    void read_operator(char c) {
        if (c == ')' || c == ']' || c == '}') {
            depth_ = std::max(0, depth_ - 1);
        }
        std::size_t length = 1;
        while (at_ + length < source_.size() && source_[at_ + length] == c && length < 2 &&
               (c == '*' || c == '/' || c == '<' || c == '>')) {
            ++length;
        }
        if (at_ + length < source_.size() && source_[at_ + length] == '=' &&
            std::string_view("=!<>+-*/%&|^@:").find(c) != std::string_view::npos) {
            ++length;
        }
        add(source_.substr(at_, length), false);
        if (c == '(' || c == '[' || c == '{') {
            ++depth_;
        }
        at_ += length;
    }

    void add(std::string_view text, bool is_name) { line_.tokens.push_back({.text = text, .depth = depth_, .is_name = is_name}); }

    void finish_line() {
        if (!line_.tokens.empty()) {
            lines_.push_back(std::move(line_));
        }
        line_ = {};
        at_line_begin_ = true;
    }

    std::string_view source_;
    std::size_t at_ = 0;
    int depth_ = 0;
    bool at_line_begin_ = true;
    source_line line_;
    std::vector<source_line> lines_;
};

using token_span = std::span<const source_token>;

bool is_one_of(std::string_view text, std::span<const std::string_view> words) {
    return std::find(words.begin(), words.end(), text) != words.end();
}

class name_collector {
public:
    [[nodiscard]] std::vector<std::string> collect(const std::vector<source_line>& lines) {
        std::size_t hidden_from = std::string_view::npos;  // the body of a function or class
        for (const source_line& line : lines) {
            if (line.indent > hidden_from) {
                continue;
            }
            hidden_from = std::string_view::npos;
            if (read_line(line.tokens)) {
                hidden_from = line.indent;
            }
        }
        return std::move(names_);
    }

private:
    /// Returns whether a body of another namespace follows.
    bool read_line(token_span tokens) {
        while (!tokens.empty()) {
            const auto end =
                std::find_if(tokens.begin(), tokens.end(), [](const source_token& each) { return each.text == ";" && each.depth == 0; });
            const auto length = static_cast<std::size_t>(end - tokens.begin());
            if (read_statement(tokens.first(length))) {
                return true;
            }
            tokens = tokens.subspan(std::min(length + 1, tokens.size()));
        }
        return false;
    }

    bool read_statement(token_span tokens) {
        static constexpr std::array<std::string_view, 12> compound = {"if",  "elif",   "else",    "for",   "while", "with",
                                                                      "try", "except", "finally", "async", "match", "case"};
        if (tokens.empty()) {
            return false;
        }
        const std::string_view first = tokens.front().text;
        if (first == "async" && tokens.size() > 1 && tokens[1].text == "def") {
            return read_statement(tokens.subspan(1));
        }
        if (first == "def" || first == "class") {
            if (tokens.size() > 1) {
                add(tokens[1]);
            }
            return true;
        }
        if (first == "import" || first == "from") {
            read_import(tokens);
            return false;
        }
        read_walrus(tokens);
        const auto colon =
            std::find_if(tokens.begin(), tokens.end(), [](const source_token& each) { return each.text == ":" && each.depth == 0; });
        if (is_one_of(first, compound) && colon != tokens.end()) {
            const auto length = static_cast<std::size_t>(colon - tokens.begin());
            read_header(tokens.first(length));
            return read_statement(tokens.subspan(length + 1));
        }
        read_assignment(tokens);
        return false;
    }

    void read_import(token_span tokens) {
        const auto names = tokens.front().text == "import"
                               ? tokens.begin()
                               : std::find_if(tokens.begin(), tokens.end(), [](const source_token& each) { return each.text == "import"; });
        const source_token* last = nullptr;
        bool dotted = false;
        for (auto at = names; at != tokens.end(); ++at) {
            if (at == names || at->text == "(" || at->text == ")") {
                continue;
            }
            if (at->text == ",") {
                add_import(last);
                last = nullptr;
                dotted = false;
            } else if (at->text == "as") {
                last = nullptr;
                dotted = false;
            } else if (at->is_name && !dotted) {
                last = &*at;
            } else {
                dotted = dotted || at->text == ".";
            }
        }
        add_import(last);
    }

    void add_import(const source_token* name) {
        if (name != nullptr) {
            add(*name);
        }
    }

    void read_walrus(token_span tokens) {
        for (std::size_t i = 1; i < tokens.size(); ++i) {
            if (tokens[i].text == ":=") {
                add(tokens[i - 1]);
            }
        }
    }

    /// `for TARGETS in ...` and `with ... as TARGET, ... as TARGET`.
    void read_header(token_span tokens) {
        tokens = tokens.front().text == "async" ? tokens.subspan(1) : tokens;
        if (tokens.empty()) {
            return;
        }
        const auto find_word = [&](std::size_t from, std::string_view word) {
            while (from < tokens.size() && tokens[from].text != word) {
                ++from;
            }
            return from;
        };
        if (tokens.front().text == "for") {
            read_targets(tokens.subspan(1, find_word(1, "in") - 1));
        } else if (tokens.front().text == "with") {
            for (std::size_t as = find_word(1, "as"); as < tokens.size(); as = find_word(as + 1, "as")) {
                std::size_t end = as + 1;
                const bool several = end < tokens.size() && tokens[end].text == "(";
                while (end < tokens.size() && ((several && tokens[end].depth > tokens[as].depth) || tokens[end].text != ",") &&
                       tokens[end].depth >= tokens[as].depth) {
                    ++end;
                }
                read_targets(tokens.subspan(as + 1, end - as - 1));
            }
        }
    }

    void read_assignment(token_span tokens) {
        std::size_t begin = 0;
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            const std::string_view text = tokens[i].text;
            const bool compares = text == "==" || text == "!=" || text == "<=" || text == ">=" || text == ":=";
            if (tokens[i].depth == 0 && text.ends_with('=') && !compares) {
                read_targets(tokens.subspan(begin, i - begin));
                begin = i + 1;
            }
        }
    }

    /// Names, also in brackets and after a star; not attributes, items and calls, and not the annotation.
    void read_targets(token_span tokens) {
        for (std::size_t i = 0; i < tokens.size(); ++i) {
            if (tokens[i].text == ":" && tokens[i].depth == tokens.front().depth) {
                return;
            }
            const bool is_part = i > 0 && (tokens[i - 1].text == "." || tokens[i - 1].text == ")" || tokens[i - 1].text == "]");
            const bool has_part =
                i + 1 < tokens.size() && (tokens[i + 1].text == "." || tokens[i + 1].text == "[" || tokens[i + 1].text == "(");
            const bool is_index =
                std::any_of(tokens.begin(), tokens.begin() + static_cast<std::ptrdiff_t>(i), [&](const source_token& each) {
                    return each.text == "[" && &each != tokens.data() && (&each - 1)->is_name && each.depth < tokens[i].depth;
                });
            if (tokens[i].is_name && !is_part && !has_part && !is_index) {
                add(tokens[i]);
            }
        }
    }

    void add(const source_token& name) {
        if (name.is_name && std::find(names_.begin(), names_.end(), name.text) == names_.end()) {
            names_.emplace_back(name.text);
        }
    }

    std::vector<std::string> names_;
};

}  // namespace

std::vector<std::string> bound_names(std::string_view source) {
    return name_collector().collect(line_reader(source).read());
}

}  // namespace repl
