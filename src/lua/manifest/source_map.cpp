#include "lua/manifest/source_map.hpp"

#include "lua/host/plugin_source.hpp"

#include <algorithm>
#include <cstddef>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

struct token {
    enum class kind : unsigned char { name, text, other, sign, end };
    kind what = kind::end;
    std::string_view text = {};  // without quotes
    int line = 1;
};

/// Splits Lua source into tokens, accurately enough to find tables. Skips comments.
class tokenizer {
public:
    explicit tokenizer(std::string_view source) : rest_(source) {}

    token next() {
        skip_blanks();
        if (rest_.empty()) {
            return {.what = token::kind::end, .text = {}, .line = line_};
        }
        const char c = rest_.front();
        if (c == '"' || c == '\'') {
            return quoted(c);
        }
        if (const std::size_t level = long_bracket(); level != 0) {
            return long_text(level);
        }
        if (is_word(c)) {
            const auto end = std::find_if_not(rest_.begin(), rest_.end(), is_word);
            return take(pyaichat::detail::is_digit(c) ? token::kind::other : token::kind::name,
                        static_cast<std::size_t>(end - rest_.begin()));
        }
        return take(token::kind::sign, 1);
    }

private:
    void skip(std::size_t size) {
        line_ += static_cast<int>(std::count(rest_.begin(), rest_.begin() + static_cast<std::ptrdiff_t>(size), '\n'));
        rest_.remove_prefix(size);
    }

    token take(token::kind what, std::size_t size) {
        const token taken{.what = what, .text = rest_.substr(0, size), .line = line_};
        skip(size);
        return taken;
    }

    void skip_blanks() {
        for (;;) {
            if (rest_.starts_with("--")) {
                rest_.remove_prefix(2);
                if (const std::size_t level = long_bracket(); level != 0) {
                    long_text(level);
                } else {
                    skip(std::min(rest_.find('\n'), rest_.size()));
                }
            } else if (!rest_.empty() && static_cast<unsigned char>(rest_.front()) <= ' ') {
                skip(1);
            } else {
                return;
            }
        }
    }

    token quoted(char quote) {
        std::size_t size = 1;
        while (size < rest_.size() && rest_[size] != quote && rest_[size] != '\n') {
            size += rest_[size] == '\\' ? 2 : 1;
        }
        size = std::min(size, rest_.size());
        token taken{.what = token::kind::text, .text = rest_.substr(1, size - 1), .line = line_};
        skip(std::min(size + 1, rest_.size()));
        return taken;
    }

    /// The length of `[[`, `[=[` and so on; 0 when there is none.
    [[nodiscard]] std::size_t long_bracket() const {
        if (rest_.empty() || rest_.front() != '[') {
            return 0;
        }
        const std::size_t second = rest_.find_first_not_of('=', 1);
        return second != std::string_view::npos && rest_[second] == '[' ? second + 1 : 0;
    }

    token long_text(std::size_t level) {
        const std::string closing = "]" + std::string(level - 2, '=') + "]";
        const std::size_t end = std::min(rest_.find(closing, level), rest_.size());
        token taken{.what = token::kind::text, .text = rest_.substr(level, end - std::min(level, end)), .line = line_};
        skip(std::min(end + closing.size(), rest_.size()));
        return taken;
    }

    std::string_view rest_;
    int line_ = 1;
};

/// Reads table constructors in a list of tokens.
class table_reader {
public:
    table_reader(const std::vector<token>& tokens, std::map<std::string, int, std::less<>>& lines) : tokens_(tokens), lines_(lines) {}

    /// Finds the table that the file returns.
    void run() {
        std::size_t returned = 0;
        int depth = 0;
        for (std::size_t i = 0; i < tokens_.size(); ++i) {
            if (depth == 0 && is(i, "return")) {
                returned = i;
            }
            depth += opens(i) - closes(i);
        }
        if (!is(returned, "return")) {
            return;
        }
        lines_[""] = tokens_[returned].line;
        at_ = returned + 1;
        if (tokens_[at_].what == token::kind::name) {
            const std::string_view name = tokens_[at_].text;
            for (std::size_t i = 0; i + 2 < returned; ++i) {
                if (tokens_[i].text == name && is(i + 1, "=") && is(i + 2, "{")) {
                    at_ = i + 2;
                }
            }
        }
        if (is(at_, "{")) {
            table("", 0);
        }
    }

private:
    // Limits the memory for a hostile file. Real paths are shorter.
    static constexpr int deepest = 40;
    static constexpr std::size_t longest_path = 200;
    static constexpr std::size_t most_places = 20'000;

    [[nodiscard]] bool is(std::size_t index, std::string_view text) const {
        return index < tokens_.size() && tokens_[index].text == text &&
               (tokens_[index].what == token::kind::name || tokens_[index].what == token::kind::sign);
    }
    [[nodiscard]] int opens(std::size_t i) const { return is(i, "function") || is(i, "if") || is(i, "do") || is(i, "repeat") ? 1 : 0; }
    [[nodiscard]] int closes(std::size_t i) const { return is(i, "end") || is(i, "until") ? 1 : 0; }
    [[nodiscard]] bool at_end() const { return tokens_[at_].what == token::kind::end; }

    /// Reads the table whose `{` is next.
    void table(const std::string& path, int depth) {
        ++at_;
        for (int item = 1; !at_end() && !is(at_, "}");) {
            const int line = tokens_[at_].line;
            std::string name;
            if (tokens_[at_].what == token::kind::name && is(at_ + 1, "=")) {
                name = tokens_[at_].text;
                at_ += 2;
            } else if (is(at_, "[") && tokens_[at_ + 1].what == token::kind::text && is(at_ + 2, "]") && is(at_ + 3, "=")) {
                name = tokens_[at_ + 1].text;
                at_ += 4;
            }
            name.resize(std::min(name.size(), longest_path));  // longer than any field of a manifest
            const std::string below = !name.empty() ? (path.empty() ? name : path + "." + name) : path + "[" + std::to_string(item++) + "]";
            if (lines_.size() < most_places) {
                lines_.emplace(below, line);
            }
            if (is(at_, "{") && depth < deepest && below.size() <= longest_path) {
                table(below, depth + 1);
            }
            skip_value();
            at_ += is(at_, ",") || is(at_, ";") ? 1 : 0;
        }
        at_ += is(at_, "}") ? 1 : 0;
    }

    /// Skips the rest of a value, up to the next separator or the table's `}`.
    void skip_value() {
        int depth = 0;
        for (; !at_end(); ++at_) {
            if (depth == 0 && (is(at_, ",") || is(at_, ";") || is(at_, "}"))) {
                return;
            }
            depth += opens(at_) + (is(at_, "{") || is(at_, "(") || is(at_, "[") ? 1 : 0);
            depth -= closes(at_) + (is(at_, "}") || is(at_, ")") || is(at_, "]") ? 1 : 0);
        }
    }

    const std::vector<token>& tokens_;
    std::map<std::string, int, std::less<>>& lines_;
    std::size_t at_ = 0;
};

}  // namespace

source_map::source_map(std::string_view source) {
    std::vector<token> tokens;
    tokenizer lexer(source);
    do {
        tokens.push_back(lexer.next());
    } while (tokens.back().what != token::kind::end);
    const std::size_t text_end = source.find_last_not_of(" \t\r\n");
    last_line_ = 1 + static_cast<int>(std::count(source.begin(), source.begin() + static_cast<std::ptrdiff_t>(text_end + 1), '\n'));
    table_reader(tokens, lines_).run();
}

int source_map::line_of(std::string_view path) const {
    for (;;) {
        if (const auto found = lines_.find(path); found != lines_.end()) {
            return found->second;
        }
        if (path.empty()) {
            return last_line_;
        }
        const std::size_t cut = path.find_last_of(".[");
        path = path.substr(0, cut == std::string_view::npos ? 0 : cut);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
