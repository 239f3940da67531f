#include "offline/question.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <cctype>
#include <iterator>
#include <optional>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// The phrases of each form, with X for the subject. The first phrase that fits wins: longer phrases come before those that they begin
/// with.
const std::vector<std::pair<question_form, std::vector<string_view>>>& wordings() {
    static const std::vector<std::pair<question_form, std::vector<string_view>>> all = {
        {question_form::variables,
         {"which variables are there", "what variables are there", "which variables exist", "what variables exist",
          "which variables do i have", "what variables do i have", "which variables are defined", "what variables are defined",
          "what is defined", "what do i have", "what is in the session", "list variables", "list the variables", "list all variables",
          "show variables", "show the variables"}},
        {question_form::failure,
         {"why did it fail", "why did that fail", "why does it fail", "what went wrong", "what failed", "what was the error",
          "what was the last error", "what is the last error", "what was the last exception", "what is the last exception", "last error"}},
        {question_form::type,
         {"what type is X", "which type is X", "what type does X have", "what type has X", "which type has X", "what is the type of X",
          "what kind of thing is X", "type of X"}},
        {question_form::members,
         {"what can X do", "what can i do with X", "what attributes does X have", "which attributes does X have",
          "what methods does X have", "which methods does X have", "what members does X have", "what are the attributes of X",
          "what are the members of X", "what are the methods of X"}},
        {question_form::contents,
         {"how long is X", "how big is X", "how many items are in X", "how many items does X have", "how many elements are in X",
          "how many elements does X have", "what is the length of X", "what is the size of X", "what is in X", "what is inside X",
          "what does X contain", "length of X"}},
        {question_form::documentation,
         {"show the documentation of X", "what is the documentation of X", "documentation of X", "documentation for X", "docs of X",
          "docs for X", "how do i use X", "what does X do", "help on X"}},
        {question_form::computation, {"compute X", "calculate X", "evaluate X"}},
        {question_form::value,
         {"what is the value of X", "what value has X", "what value does X have", "value of X", "what is X", "what are X", "show me X",
          "show X", "describe X", "tell me about X"}},
    };
    return all;
}

/// The text that stands for the X of a phrase; empty for a phrase without X. Nothing if the phrase does not fit.
std::optional<string_view> subject_in(string_view text, string_view phrase) {
    const std::string low = ascii_lower(text);
    const std::size_t mark = phrase.find('X');
    if (mark == string_view::npos) {
        return low == phrase ? std::optional(string_view()) : std::nullopt;
    }
    const string_view after = phrase.substr(mark + 1);
    const bool fits = text.size() >= phrase.size() && low.starts_with(phrase.substr(0, mark)) && low.ends_with(after);
    return fits ? std::optional(text.substr(mark, text.size() - mark - after.size())) : std::nullopt;
}

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
    for (const string_view contraction : {"what's ", "whats "}) {
        if (ascii_lower(text).starts_with(contraction)) {
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

bool is_operator_word(string_view word) {
    constexpr string_view words[] = {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await"};
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

/// Whether the text could be Python rather than English: something computes in it, and no two words stand side by side.
bool looks_like_expression(string_view text) {
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
    for (const auto& [form, phrases] : wordings()) {
        for (const string_view phrase : phrases) {
            const std::optional<string_view> found = subject_in(tidied, phrase);
            if (!found) {
                continue;
            }
            const string_view subject = bare_subject(*found);
            if (form == question_form::computation ||
                (form == question_form::value && !is_path(subject) && looks_like_expression(subject))) {
                return {.form = question_form::computation, .subject = std::string(subject)};
            }
            if (found->empty() || is_path(subject)) {
                return {.form = form, .subject = std::string(subject)};
            }
        }
    }
    return {};
}

string_view capability_for(question_form form) noexcept {
    switch (form) {
        case question_form::variables: return "list_globals";
        case question_form::value:
        case question_form::contents: return "get_repr";
        case question_form::type: return "get_type";
        case question_form::members: return "get_dir";
        case question_form::documentation: return "get_doc";
        case question_form::failure: return "get_last_exception";
        case question_form::computation: return "eval_expr";
        case question_form::unknown: break;
    }
    return {};
}

string_view understood_forms() noexcept {
    return "I am the offline provider, not a language model. I understand: which variables are there; what is X; what type is X; what can "
           "X do; how long is X; what is in X; documentation of X; why did it fail; what was the last error; compute EXPR.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
