#include "commands/prompt_shortcuts.hpp"

#include "commands/object_help.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

/// Names, attributes and items by literal keys: `df.columns[0]`, `d["a b"]`.
bool is_path(std::string_view text) {
    char quote = '\0';
    for (const char c : text) {
        const bool in_path = ai::detail::is_letter(c) || ai::detail::is_digit(c) || c == '_' || c == '.' || c == '[' || c == ']' ||
                             c == '-' || static_cast<unsigned char>(c) >= 0x80;
        if (c == '\n' || (quote == '\0' && !in_path && c != '"' && c != '\'')) {
            return false;
        }
        if (c == '"' || c == '\'') {
            quote = quote == '\0' ? c : quote == c ? '\0' : quote;
        }
    }
    return !text.empty() && quote == '\0' && !ai::detail::is_digit(text.front()) && text.front() != '.' && text.front() != '-';
}

}  // namespace

std::optional<help_request> read_help_request(std::string_view entry) {
    std::string_view text = ai::detail::trimmed(entry);
    std::size_t marks = 0;
    while (marks < text.size() && text[text.size() - 1 - marks] == '?') {
        ++marks;
    }
    text.remove_suffix(marks);
    if (marks == 0) {
        marks = std::min(text.find_first_not_of('?'), text.size());
        text.remove_prefix(marks);
    }
    text = ai::detail::trimmed(text);
    if (marks == 0 || marks > 2 || !is_path(text)) {
        return std::nullopt;
    }
    return help_request{.expression = std::string(text), .source = marks == 2};
}

bool answer_at_prompt(std::string_view entry, python_runner& python, screen& screen) {
    const auto request = read_help_request(entry);
    if (!request) {
        return false;
    }
    if (const auto sentence = python.busy()) {
        screen.err(*sentence + "\n");
    } else {
        screen.out(object_help(python.session(), *request, screen.is_styled()));
    }
    return true;
}

}  // namespace repl
