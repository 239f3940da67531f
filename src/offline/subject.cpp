#include "offline/subject.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/phrase.hpp"

#include <algorithm>
#include <cctype>
#include <iterator>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr int deepest_phrase = 4;

/// What a phrase stands for. `{X}` is the expression of the slot, `{Y}` the text of the other, `{N}` the number, `{N-1}` one less.
struct subject_phrase {
    string_view phrase;
    string_view expression;
};

constexpr subject_phrase subject_phrases[] = {
    {"column Y of|in|from X", "{X}[{Y}]"},
    {"Y column of|in|from X", "{X}[{Y}]"},
    {"key Y of|in|from X", "{X}[{Y}]"},
    {"value of|for|at key Y of|in|from X", "{X}[{Y}]"},
    {"value of|for|at (the) key Y of|in|from X", "{X}[{Y}]"},
    {"entry (for) Y of|in|from X", "{X}[{Y}]"},
    {"attribute|field Y of|in|from X", "{X}.{Y}"},
    {"Y attribute|field of|in|from X", "{X}.{Y}"},
    {"function|method|class Y of|in|from X", "{X}.{Y}"},
    {"first (item|element|entry|value|character|letter|row) of|in|from X", "{X}[0]"},
    {"last (item|element|entry|value|character|letter|row) of|in|from X", "{X}[-1]"},
    {"item|element|entry|value|index|position (at|with|number) (index|position|number) N of|in|from X", "{X}[{N}]"},
    {"N (item|element|entry|value|character|letter) of|in|from X", "{X}[{N-1}]"},
    {"length|len|size of X", "len({X})"},
    {"keys of X", "list({X})"},
};

constexpr string_view determiners[] = {"the",  "teh",   "a",     "an",  "my",    "our", "your",  "this",
                                       "that", "these", "those", "all", "every", "of",  "named", "called"};

constexpr string_view nouns[] = {"variable",   "variables", "object",   "function", "functions", "class",      "method",   "module",
                                 "package",    "library",   "list",     "lists",    "dict",      "dictionary", "tuple",    "set",
                                 "string",     "str",       "text",     "array",    "matrix",    "dataframe",  "frame",    "table",
                                 "series",     "value",     "number",   "int",      "integer",   "float",      "instance", "name",
                                 "expression", "thing",     "constant", "data"};

/// Nouns that nobody means as a name when an article comes before them.
constexpr string_view type_nouns[] = {"list",      "dict",     "dictionary", "set",    "tuple",  "string",
                                      "dataframe", "function", "class",      "module", "object", "array"};

constexpr string_view pronouns[] = {"it", "this", "that", "them", "these", "those", "they", "this one", "that one", "its", "he", "she"};

template <std::size_t Size>
bool contains(const string_view (&words)[Size], string_view word) {
    return std::find(std::begin(words), std::end(words), word) != std::end(words);
}

bool is_identifier_byte(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return std::isalnum(byte) != 0 || c == '_' || byte >= 0x80;  // Python's identifiers may be of any script
}

bool is_operator_word(string_view word) {
    constexpr string_view words[] = {"and", "or", "not", "in", "is", "if", "else", "for", "lambda", "await"};
    return contains(words, word);
}

/// Removes a name from the front of the text, a number included. Returns it, or an empty text.
string_view take_word(string_view& text) {
    const auto end = std::find_if_not(text.begin(), text.end(), is_identifier_byte);
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

/// The text without the backticks or quotes around it. Quotes are removed only around a path: otherwise they may be part of a literal.
string_view unquoted(string_view text) {
    if (text.size() < 3 || text.front() != text.back()) {
        return text;
    }
    const string_view inside = trimmed(text.substr(1, text.size() - 2));
    const bool ticks = text.front() == '`' && inside.find('`') == string_view::npos;
    const bool quotes = (text.front() == '\'' || text.front() == '"') && is_object_path(inside);
    return ticks || quotes ? inside : text;
}

/// The text without the determiners and nouns before and behind a name. "this list" alone stays a pronoun.
string_view without_nouns(string_view text) {
    std::vector<question_word> words = words_of(text);
    std::size_t first = 0;
    std::size_t end = words.size();
    bool determined = false;
    while (first + 1 < end && (contains(determiners, words[first].lower) || contains(nouns, words[first].lower))) {
        determined = determined || contains(pronouns, words[first].lower);
        ++first;
    }
    // "the list" alone is not the built-in `list`.
    if (first + 1 == end && first > 0 && contains(type_nouns, words[first].lower)) {
        return "it";
    }
    if (first + 1 == end && determined && contains(nouns, words[first].lower)) {
        return "it";
    }
    while (first + 1 < end && contains(nouns, words[end - 1].lower)) {
        --end;
    }
    if (first == end) {
        return {};
    }
    const string_view last = words[end - 1].typed;
    const char* begin = words[first].typed.data();
    return {begin, static_cast<std::size_t>(last.data() + last.size() - begin)};
}

/// A key as Python writes it: a literal as it is, a word in quotes.
std::string as_key(string_view text) {
    text = trimmed(text);
    if (is_literal(text)) {
        return std::string(text);
    }
    if (text.size() > 2 && text.front() == '`' && text.back() == '`') {
        text = text.substr(1, text.size() - 2);
    }
    return text.find_first_of("\"\\") == string_view::npos ? "\"" + std::string(text) + "\"" : std::string();
}

std::string replaced(std::string text, string_view mark, string_view value) {
    const std::size_t found = text.find(mark);
    return found == std::string::npos ? text : text.replace(found, mark.size(), value);
}

std::optional<std::string> read_simple(string_view text) {
    text = unquoted(without_nouns(trimmed(text)));
    if (is_object_path(text) || looks_like_expression(text)) {
        return std::string(text);
    }
    return std::nullopt;
}

std::optional<std::string> read_phrase(string_view text, int depth);

std::optional<std::string> read_nested(string_view text, int depth) {
    auto simple = read_simple(text);
    return simple ? std::move(simple) : depth < deepest_phrase ? read_phrase(text, depth + 1) : std::nullopt;
}

std::optional<std::string> filled(const subject_phrase& meant, const phrase_slots& slots, int depth) {
    const bool attribute = meant.expression.find(".{Y}") != string_view::npos;
    const std::string other = attribute ? std::string(unquoted(slots.other)) : as_key(slots.other);
    const auto count = read_count(slots.count);
    const bool bad_other = meant.expression.find("{Y}") != string_view::npos &&
                           (other.empty() || words_of(slots.other).size() != 1 || (attribute && !is_object_path(other)));
    const bool no_ordinal = meant.expression.find("{N-1}") != string_view::npos && is_literal(slots.count);  // "3 in xs" is no item
    if (bad_other || no_ordinal || (!slots.count.empty() && !count)) {
        return std::nullopt;
    }
    const auto subject = read_nested(slots.subject, depth);  // last: it may be a phrase itself
    if (!subject) {
        return std::nullopt;
    }
    std::string out(meant.expression);
    if (count) {
        const std::string before = *count == "0" ? *count : std::to_string(std::stoi(*count) - 1);
        out = replaced(replaced(std::move(out), "{N}", *count), "{N-1}", before);
    }
    return replaced(replaced(std::move(out), "{X}", *subject), "{Y}", other);
}

std::optional<std::string> read_phrase(string_view text, int depth) {
    std::vector<question_word> words = words_of(text);
    while (!words.empty() && contains(determiners, words.front().lower)) {
        words.erase(words.begin());
    }
    std::optional<std::string> out;
    for (const subject_phrase& each : subject_phrases) {
        if (match_phrase(each.phrase, words, false, [&](const phrase_slots& slots) {
                out = filled(each, slots, depth);
                return out.has_value();
            })) {
            return out;
        }
    }
    return std::nullopt;
}

}  // namespace

bool is_object_path(string_view text) noexcept {
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

bool is_literal(string_view text) {
    if (text == "None" || text == "True" || text == "False") {
        return true;
    }
    string_view rest = text;
    if (take_quoted(rest)) {
        return rest.empty();
    }
    rest = text;
    take(rest, '-');
    const bool digits = !rest.empty() && is_digit(rest.front());
    return digits && std::all_of(rest.begin(), rest.end(), [](char c) { return is_digit(c) || c == '.' || c == '_' || c == 'e'; });
}

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
            computes = computes || is_digit(word.front()) || word == "None" || word == "True" || word == "False";
            word_before = !joins;
        } else if (text.front() == '"' || text.front() == '\'' || text.front() == '`') {
            return false;  // the quote is not closed, or it is not Python
        } else {
            computes = computes || !is_space(text.front());
            word_before = word_before && is_space(text.front());
            text.remove_prefix(1);
        }
    }
    return computes;
}

bool is_bare_expression(string_view text) {
    if (is_object_path(text)) {
        return true;
    }
    const std::vector<question_word> words = words_of(text);
    const bool membership = words.size() == 3 && words[1].lower == "in" && is_object_path(words[0].typed) && is_object_path(words[2].typed);
    // "yes, why" is English; a tuple of more than literals needs brackets here.
    const bool comma = std::any_of(words.begin(), words.end(), [](const question_word& word) { return word.typed.ends_with(','); }) &&
                       text.find_first_of("([{") == string_view::npos;
    const bool negation = words.size() == 2 && words[0].lower == "not" && is_object_path(words[1].typed);
    const auto has_word = [&](string_view wanted) {
        return std::any_of(words.begin() + 1, words.end(), [&](const question_word& word) { return word.typed == wanted; });
    };
    const bool choice = words.size() >= 5 && words[1].typed == "if" && has_word("else") && is_object_path(words[0].typed);
    return membership || negation || choice || (!comma && looks_like_expression(text));
}

bool is_pronoun(string_view subject) {
    return contains(pronouns, ascii_lower(subject));
}

std::optional<std::string> read_subject(string_view text) {
    auto simple = read_simple(text);
    return simple ? std::move(simple) : read_phrase(text, 0);
}

std::optional<std::string> read_count(string_view word) {
    constexpr string_view numbers[] = {"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"};
    constexpr string_view ordinals[] = {"zeroth", "first",   "second", "third", "fourth", "fifth",
                                        "sixth",  "seventh", "eighth", "ninth", "tenth"};
    for (const auto* list : {&numbers, &ordinals}) {
        const auto* const found = std::find(std::begin(*list), std::end(*list), word);
        if (found != std::end(*list)) {
            return std::to_string(found - std::begin(*list));
        }
    }
    for (const string_view ending : {"st", "nd", "rd", "th"}) {
        if (word.size() > 2 && is_digit(word.front()) && word.ends_with(ending)) {
            word.remove_suffix(2);
        }
    }
    const bool fits = !word.empty() && word.size() <= 4 && std::all_of(word.begin(), word.end(), is_digit);
    return fits ? std::optional(std::string(word)) : std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
