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
        {question_form::situation,
         {"what is going on", "what's going on", "what is happening", "what's happening", "what is running", "what does python do",
          "what is python doing", "what has changed", "what changed"}},
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

/// Removes a name from the front of the text, a number included. Returns it, or an empty text.
string_view take_word(string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_name_byte);
    const string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
    text.remove_prefix(word.size());
    return word;
}

bool take(string_view& text, char wanted) {
    const bool found = text.starts_with(wanted);
    text.remove_prefix(found ? 1 : 0);
    return found;
}

bool take_quoted(string_view& text) {
    const std::size_t end = text.starts_with('"') || text.starts_with('\'') ? text.find(text.front(), 1) : string_view::npos;
    text.remove_prefix(end == string_view::npos ? 0 : end + 1);
    return end != string_view::npos;
}

bool take_integer(string_view& text) {
    take(text, '-');
    const string_view digits = take_word(text);
    return !digits.empty() && std::all_of(digits.begin(), digits.end(), is_digit);
}

/// An item access with a literal key: `[3]`, `[-1]` or `['key']`.
bool take_item(string_view& text) {
    string_view rest = text;
    const bool fits = take(rest, '[') && (take_quoted(rest) || take_integer(rest)) && take(rest, ']');
    text = fits ? rest : text;
    return fits;
}

/// Whether the text could be Python rather than English: something computes in it, and no two words stand side by side.
bool looks_like_expression(string_view text) {
    bool computes = false;
    bool word_before = false;
    while (!text.empty()) {
        if (take_quoted(text)) {
            computes = true;
            word_before = true;
        } else if (const string_view word = take_word(text); !word.empty()) {
            const bool joins = is_operator_word(word);
            if (word_before && !joins) {
                return false;
            }
            computes = computes || is_digit(word.front());
            word_before = !joins;
        } else if (text.front() == '"' || text.front() == '\'') {
            return false;  // the quote is not closed
        } else {
            computes = computes || !is_space(text.front());
            word_before = word_before && is_space(text.front());
            text.remove_prefix(1);
        }
    }
    return computes;
}

}  // namespace

bool is_path(string_view text) noexcept {
    do {
        const string_view name = take_word(text);
        if (name.empty() || is_digit(name.front())) {
            return false;
        }
        while (take_item(text)) {
        }
    } while (take(text, '.'));
    return text.empty();
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
        case question_form::situation: return "situation";
        case question_form::computation: return "eval_expr";
        case question_form::unknown: break;
    }
    return {};
}

string_view understood_forms() noexcept {
    return "I am the offline provider, not a language model. I understand: which variables are there; what is X; what type is X; what can "
           "X do; how long is X; what is in X; documentation of X; why did it fail; what was the last error; what is going on; compute "
           "EXPR.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
