#include "shell/rules/command_line.hpp"

#include <pyaichat/core/text.hpp>

#include "shell/rules/visible_text.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Words that begin a construct if they are the first of a command.
constexpr std::array<std::string_view, 21> reserved = {"!",        "{",    "}",    "[[",     "]]",   "case",  "coproc",
                                                       "do",       "done", "elif", "else",   "esac", "fi",    "for",
                                                       "function", "if",   "in",   "select", "then", "until", "while"};

/// Characters that have a meaning for some shell outside of quotes.
constexpr std::string_view special_outside = "&<>(){}[]*?$`\\^";
constexpr std::string_view special_in_quotes = "$`\\";

bool is_control(char byte) noexcept {
    return static_cast<unsigned char>(byte) < 0x20 || byte == '\x7F';
}

const char* name_of(char special) noexcept {
    switch (special) {
        case '<':
        case '>': return "a redirection";
        case '$':
        case '`': return "a substitution";
        case '*':
        case '?':
        case '[':
        case ']': return "a wildcard";
        case '&': return "a background job";
        case '\\': return "a backslash";
        default: return "a construct of the shell";
    }
}

class line_parser {
public:
    explicit line_parser(std::string_view text) : rest_(text) {}

    command_line parse() {
        if (!is_utf8(rest_)) {
            line_.obstacle = "invalid UTF-8";
        } else if (std::any_of(rest_.begin(), rest_.end(), [](char byte) { return is_control(byte) && byte != '\t'; })) {
            line_.obstacle = rest_.find('\n') != std::string_view::npos ? "several lines" : "a control character";
        } else if (hides_characters()) {
            line_.obstacle = "an invisible character";
        }
        while (line_.obstacle.empty() && !rest_.empty()) {
            step();
        }
        if (line_.obstacle.empty()) {
            end_of_line();
        }
        return std::move(line_);
    }

private:
    bool hides_characters() const {
        std::string without_tabs(rest_);
        std::replace(without_tabs.begin(), without_tabs.end(), '\t', ' ');
        return visible_text(without_tabs) != without_tabs;
    }

    void step() {
        const char next = rest_.front();
        if (next == ' ' || next == '\t') {
            end_word();
            rest_.remove_prefix(1);
        } else if (next == '|' || next == ';' || rest_.starts_with("&&")) {
            read_operator();
        } else if (next == '\'' || next == '"') {
            read_quotes(next);
        } else if (special_outside.find(next) != std::string_view::npos) {
            line_.obstacle = name_of(next);
        } else if (!in_word_ && (next == '#' || next == '~' || next == '=')) {
            line_.obstacle = next == '#' ? "a comment" : next == '~' ? "the name of a home folder" : "a construct of the shell";
        } else {
            begin_word();
            plain_ += next;
            word_ += next;
            rest_.remove_prefix(1);
        }
    }

    void begin_word() { in_word_ = true; }

    void end_word() {
        if (!std::exchange(in_word_, false)) {
            return;
        }
        const bool first = command_.empty();
        if (first && plain_.find('=') != std::string::npos) {
            line_.obstacle = "an assignment";
        } else if (first && std::find(reserved.begin(), reserved.end(), word_) != reserved.end()) {
            line_.obstacle = "a construct of the shell";
        } else if (first && word_.empty()) {
            line_.obstacle = "a command without a name";
        }
        command_.push_back(std::exchange(word_, {}));
        plain_.clear();
    }

    void read_quotes(char quote) {
        begin_word();
        const std::size_t end = rest_.find(quote, 1);
        if (end == std::string_view::npos) {
            line_.obstacle = "a quote without an end";
            return;
        }
        const std::string_view inside = rest_.substr(1, end - 1);
        if (quote == '"') {
            if (const std::size_t at = inside.find_first_of(special_in_quotes); at != std::string_view::npos) {
                line_.obstacle = name_of(inside[at]);
                return;
            }
        }
        word_ += inside;
        rest_.remove_prefix(end + 1);
    }

    void read_operator() {
        end_word();
        const std::size_t size = rest_.starts_with("&&") || rest_.starts_with("||") ? 2 : 1;
        ends_open_ = rest_.front() != ';';
        rest_.remove_prefix(size);
        if (command_.empty() || (!rest_.empty() && std::string_view("&|;").find(rest_.front()) != std::string_view::npos)) {
            line_.obstacle = "an operator without a command";
        }
        end_command();
    }

    void end_command() {
        if (!command_.empty()) {
            line_.commands.push_back(std::exchange(command_, {}));
        }
    }

    void end_of_line() {
        end_word();
        if (!command_.empty()) {
            ends_open_ = false;
        }
        end_command();
        if (line_.obstacle.empty() && (ends_open_ || line_.commands.empty())) {
            line_.obstacle = line_.commands.empty() ? "no command" : "an operator without a command";
        }
    }

    std::string_view rest_;
    command_line line_ = {};
    command_words command_ = {};
    std::string word_ = {};
    std::string plain_ = {};  // what stands outside of quotes in the word
    bool in_word_ = false;
    bool ends_open_ = false;  // the last operator needs another command
};

}  // namespace

command_line parse_command_line(std::string_view text) {
    return line_parser(text).parse();
}

std::string quoted_word(const std::string& word) {
    const bool plain = !word.empty() && word.find_first_of(" \t\n'\"|;#~=!") == std::string::npos &&
                       word.find_first_of(special_outside) == std::string::npos &&
                       std::find(reserved.begin(), reserved.end(), word) == reserved.end();
    if (plain) {
        return word;
    }
    std::string out = "'";
    for (const char byte : word) {
        out += byte == '\'' ? "'\"'\"'" : std::string(1, byte);
    }
    return out + "'";
}

std::string join_words(const command_words& words) {
    std::string out;
    for (const std::string& word : words) {
        (out += out.empty() ? "" : " ") += quoted_word(word);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
