#include "offline/question.hpp"

#include <pyaichat/core/text.hpp>

#include <array>
#include <cctype>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// A question is `before`, a subject, `after`; the first that fits wins, so that longer phrases stand before what they begin with.
struct phrase {
    question_form form;
    string_view before;
    string_view after = {};
};

constexpr auto whole_questions = std::to_array<phrase>({
    {question_form::variables, "which variables are there"},
    {question_form::variables, "what variables are there"},
    {question_form::variables, "which variables exist"},
    {question_form::variables, "what variables exist"},
    {question_form::variables, "which variables do i have"},
    {question_form::variables, "what variables do i have"},
    {question_form::variables, "which variables are defined"},
    {question_form::variables, "what variables are defined"},
    {question_form::variables, "what is defined"},
    {question_form::variables, "what do i have"},
    {question_form::variables, "what is in the session"},
    {question_form::variables, "list variables"},
    {question_form::variables, "list the variables"},
    {question_form::variables, "list all variables"},
    {question_form::variables, "show variables"},
    {question_form::variables, "show the variables"},
    {question_form::failure, "why did it fail"},
    {question_form::failure, "why did that fail"},
    {question_form::failure, "why does it fail"},
    {question_form::failure, "what went wrong"},
    {question_form::failure, "what failed"},
    {question_form::failure, "what was the error"},
    {question_form::failure, "what was the last error"},
    {question_form::failure, "what is the last error"},
    {question_form::failure, "what was the last exception"},
    {question_form::failure, "what is the last exception"},
    {question_form::failure, "last error"},
});

constexpr auto questions_with_subject = std::to_array<phrase>({
    {question_form::type, "what type is "},
    {question_form::type, "which type is "},
    {question_form::type, "what type does ", " have"},
    {question_form::type, "what type has "},
    {question_form::type, "which type has "},
    {question_form::type, "what is the type of "},
    {question_form::type, "what kind of thing is "},
    {question_form::type, "type of "},
    {question_form::members, "what can ", " do"},
    {question_form::members, "what can i do with "},
    {question_form::members, "what attributes does ", " have"},
    {question_form::members, "which attributes does ", " have"},
    {question_form::members, "what methods does ", " have"},
    {question_form::members, "which methods does ", " have"},
    {question_form::members, "what members does ", " have"},
    {question_form::members, "what are the attributes of "},
    {question_form::members, "what are the members of "},
    {question_form::members, "what are the methods of "},
    {question_form::contents, "how long is "},
    {question_form::contents, "how big is "},
    {question_form::contents, "how many items are in "},
    {question_form::contents, "how many items does ", " have"},
    {question_form::contents, "how many elements are in "},
    {question_form::contents, "how many elements does ", " have"},
    {question_form::contents, "what is the length of "},
    {question_form::contents, "what is the size of "},
    {question_form::contents, "what is in "},
    {question_form::contents, "what is inside "},
    {question_form::contents, "what does ", " contain"},
    {question_form::contents, "length of "},
    {question_form::documentation, "show the documentation of "},
    {question_form::documentation, "what is the documentation of "},
    {question_form::documentation, "documentation of "},
    {question_form::documentation, "documentation for "},
    {question_form::documentation, "docs of "},
    {question_form::documentation, "docs for "},
    {question_form::documentation, "how do i use "},
    {question_form::documentation, "what does ", " do"},
    {question_form::documentation, "help on "},
    {question_form::computation, "compute "},
    {question_form::computation, "calculate "},
    {question_form::computation, "evaluate "},
    {question_form::value, "what is the value of "},
    {question_form::value, "what value has "},
    {question_form::value, "what value does ", " have"},
    {question_form::value, "value of "},
    {question_form::value, "what is "},
    {question_form::value, "what are "},
    {question_form::value, "show me "},
    {question_form::value, "show "},
    {question_form::value, "describe "},
    {question_form::value, "tell me about "},
});

bool is_name_byte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;  // Python's identifiers may be of any script
}

/// Without the final marks and courtesies, and with "what is" for "what's".
std::string tidy(string_view text) {
    text = trimmed(text);
    while (!text.empty() && (text.back() == '?' || text.back() == '!' || text.back() == '.' || is_space(text.back()))) {
        text.remove_suffix(1);
    }
    if (ascii_lower(text).starts_with("please ")) {
        text = trimmed(text.substr(7));
    }
    const std::string low = ascii_lower(text);
    for (const string_view contraction : {"what's ", "whats "}) {
        if (low.starts_with(contraction)) {
            return "what is " + std::string(trimmed(text.substr(contraction.size())));
        }
    }
    return std::string(text);
}

/// The subject without quotes around it and without "the variable" before it.
string_view bare_subject(string_view text) {
    text = trimmed(text);
    for (const string_view filler : {"the ", "my ", "variable ", "object ", "function ", "class ", "module ", "list ", "expression "}) {
        if (ascii_lower(text).starts_with(filler) && text.size() > filler.size()) {
            text = trimmed(text.substr(filler.size()));
        }
    }
    if (text.size() > 2 && text.front() == '`' && text.back() == '`') {
        text = trimmed(text.substr(1, text.size() - 2));
    }
    return text;
}

bool is_operator_word(string_view word) noexcept {
    for (const string_view keyword : {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await"}) {
        if (word == keyword) {
            return true;
        }
    }
    return false;
}

/// Whether the text could be Python rather than English: something computes in it, and no two words stand side by side.
bool looks_like_expression(string_view text) noexcept {
    bool computes = false;
    bool word_before = false;
    for (std::size_t at = 0; at < text.size();) {
        if (is_space(text[at])) {
            ++at;
        } else if (text[at] == '"' || text[at] == '\'') {
            const std::size_t end = text.find(text[at], at + 1);
            if (end == string_view::npos) {
                return false;
            }
            computes = true;
            word_before = true;
            at = end + 1;
        } else if (is_name_byte(text[at])) {
            const std::size_t begin = at;
            while (at < text.size() && is_name_byte(text[at])) {
                ++at;
            }
            const string_view word = text.substr(begin, at - begin);
            const bool joins = is_operator_word(word);
            if (word_before && !joins) {
                return false;
            }
            computes = computes || detail::is_digit(word.front());
            word_before = !joins;
        } else {
            computes = true;
            word_before = false;
            ++at;
        }
    }
    return computes;
}

/// One item access, at the bracket: an integer or a string literal between brackets. Moves past it.
bool skip_item(string_view text, std::size_t& at) noexcept {
    ++at;
    if (at < text.size() && (text[at] == '"' || text[at] == '\'')) {
        const std::size_t end = text.find(text[at], at + 1);
        if (end == string_view::npos) {
            return false;
        }
        at = end + 1;
    } else {
        if (at < text.size() && text[at] == '-') {
            ++at;
        }
        const std::size_t begin = at;
        while (at < text.size() && detail::is_digit(text[at])) {
            ++at;
        }
        if (at == begin) {
            return false;
        }
    }
    return at < text.size() && text[at++] == ']';
}

}  // namespace

bool is_path(string_view text) noexcept {
    std::size_t at = 0;
    bool name_due = true;
    while (at < text.size()) {
        if (name_due) {
            const std::size_t begin = at;
            while (at < text.size() && is_name_byte(text[at])) {
                ++at;
            }
            if (at == begin || detail::is_digit(text[begin])) {
                return false;
            }
            name_due = false;
        } else if (text[at] == '.') {
            ++at;
            name_due = true;
        } else if (text[at] != '[' || !skip_item(text, at)) {
            return false;
        }
    }
    return !name_due;
}

question recognise(string_view text) {
    const std::string tidied = tidy(text);
    const std::string low = ascii_lower(tidied);
    for (const phrase& one : whole_questions) {
        if (low == one.before) {
            return {.form = one.form};
        }
    }
    for (const phrase& one : questions_with_subject) {
        if (!low.starts_with(one.before) || !low.ends_with(one.after) || low.size() <= one.before.size() + one.after.size()) {
            continue;
        }
        const string_view middle = string_view(tidied).substr(one.before.size(), low.size() - one.before.size() - one.after.size());
        const string_view subject = bare_subject(middle);
        if (one.form == question_form::computation ||
            (!is_path(subject) && one.form == question_form::value && looks_like_expression(subject))) {
            return {.form = question_form::computation, .subject = std::string(subject)};
        }
        if (is_path(subject)) {
            return {.form = one.form, .subject = std::string(subject)};
        }
    }
    return {};
}

string_view understood_forms() noexcept {
    return "I am the offline provider, not a language model. I understand: which variables are there; what is X; what type is X; what can "
           "X do; "
           "how long is X; what is in X; documentation of X; why did it fail; what was the last error; compute EXPR.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
