#include "offline/kinds.hpp"
#include "offline/phrase.hpp"
#include "offline/question.hpp"
#include "offline/question_table.hpp"
#include "offline/subject.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <optional>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;
using form = question_form;

/// What may come before a thing: "what is the [length of x]".
constexpr string_view frames[] = {
    "what|which|who is|are|was|were|does",
    "show|give|get|tell|print|send|fetch me|us",
    "show|give|print|display|list|find|get|compute|calculate|evaluate|determine|return|view|see|count|output|fetch|check|inspect",
    "work|figure out",
    "look at",
    "tell me about",
    "how|what about"};

/// Nouns that stand for all items of an object, and so not for one of them.
bool is_item_noun(string_view word) {
    constexpr string_view nouns[] = {"items",   "elements", "entries", "values", "things",  "characters", "letters", "words",   "numbers",
                                     "objects", "members",  "keys",    "rows",   "columns", "pairs",      "item",    "element", "lines"};
    return std::find(std::begin(nouns), std::end(nouns), word) != std::end(nouns);
}

/// Whether the second slot of a row is a word that the answer does not need: "the longest city in names".
bool ignores_other(const question_row& row) {
    return row.form == form::signature || row.form == form::contents || row.name == "longest" || row.name == "shortest" ||
           ((row.name == "unique" || row.name == "unique count") && row.things.size() != 2);
}

/// Whether the second slot is an attribute or column of the first: "the average price in df".
bool is_member_row(const question_row& row) {
    return row.form == form::lookup || (row.form == form::operation && row.sentences.empty() && row.things.size() == 2 &&
                                        row.things.front().find(" Y of|in|from X") != string_view::npos);
}

/// A value that a question names beside its subject: a literal, a name, or a single word.
std::optional<std::string> read_other_value(const question_row& row, string_view text) {
    const std::vector<question_word> words = words_of(text);
    if (is_literal(text)) {
        return std::string(text);
    }
    const bool counts = row.name == "occurrences" || (row.form == form::membership && !looks_like_expression(text));
    return counts && (words.size() != 1 || is_item_noun(words[0].lower)) ? std::nullopt : read_subject(text);
}

/// What a slot may stand for, and the expression or noun that it is read as. Nothing if it does not fit.
std::optional<std::string> read_slot(const question_row& row, string_view text, bool first) {
    if (text.empty()) {
        return std::string();
    }
    if (!first && ignores_other(row)) {
        return std::string();
    }
    if (!first && is_member_row(row) &&
        (words_of(text).size() != 1 || !(is_object_path(text) || is_literal(text)) || is_item_noun(ascii_lower(text)))) {
        return std::nullopt;
    }
    switch (row.form) {
        case form::variables:
        case form::variable_count: return read_kind(text, row.name == "certain");
        case form::computation:
            if (row.name.empty()) {
                return std::string(text);
            }
            return row.name == "pair" || looks_like_expression(text) ? read_subject(text) : std::nullopt;
        case form::type:
            if (!first) {
                const bool either = (" " + std::string(text) + " ").find(" or ") != std::string::npos;
                return either ? std::optional(std::string()) : std::nullopt;
            }
            break;
        case form::equality:
            if (!first && row.name == "literal" && !is_literal(text)) {
                return std::nullopt;
            }
            break;
        default: break;
    }
    return first && !is_literal(text) ? read_subject(text) : read_other_value(row, text);
}

std::optional<question> filled(const question_row& row, const phrase_slots& slots) {
    auto subject = read_slot(row, slots.subject, true);
    auto other = read_slot(row, slots.other, false);
    auto count = slots.count.empty() ? std::optional(std::string()) : read_count(slots.count);
    // "the third of xs" is an item, "3 in xs" is not.
    const bool no_ordinal = row.name == "nth" && !slots.count.empty() && is_literal(slots.count);
    if (!subject || !other || !count || no_ordinal) {
        return std::nullopt;
    }
    if (row.form == form::computation && row.name == "pair") {
        return question{.form = form::computation, .subject = "(" + *subject + ", " + *other + ")"};
    }
    if (row.form == form::variables && slots.subject.empty()) {
        subject = std::string(row.name);
    }
    const bool computes = row.form == form::value && !is_object_path(*subject);
    return question{.form = computes ? form::computation : row.form,
                    .subject = *std::move(subject),
                    .other = *std::move(other),
                    .count = *std::move(count),
                    .name = std::string(row.name)};
}

std::optional<question> match_row(const question_row& row, const std::vector<string_view>& phrases, const std::vector<question_word>& words,
                                  bool tolerant) {
    std::optional<question> out;
    for (const string_view phrase : phrases) {
        if (match_phrase(phrase, words, tolerant, [&](const phrase_slots& slots) {
                out = filled(row, slots);
                return out.has_value();
            })) {
            return out;
        }
    }
    return std::nullopt;
}

std::vector<question_word> without_articles(std::vector<question_word> words) {
    while (words.size() > 1 &&
           (words.front().lower == "the" || words.front().lower == "teh" || words.front().lower == "hte" || words.front().lower == "all" ||
            words.front().lower == "a" || words.front().lower == "an" || words.front().lower == "of" || words.front().lower == "my")) {
        words.erase(words.begin());
    }
    return words;
}

/// The words behind each frame that fits, and the words themselves: what may be a thing.
std::vector<std::vector<question_word>> possible_things(const std::vector<question_word>& words, bool tolerant) {
    std::vector<std::vector<question_word>> out;
    for (const string_view frame : frames) {
        const auto length = static_cast<std::ptrdiff_t>(words_of(frame).size());
        if (static_cast<std::ptrdiff_t>(words.size()) > length) {
            const std::vector<question_word> begin(words.begin(), words.begin() + length);
            if (match_phrase(frame, begin, tolerant, [](const phrase_slots&) { return true; })) {
                out.push_back(without_articles({words.begin() + length, words.end()}));
            }
        }
    }
    out.push_back(without_articles(words));
    return out;
}

/// A lookup fits many texts that are a misspelt phrase of another form, so it has a turn of its own.
enum class table_part : unsigned char { forms, lookups };

std::optional<question> match_table(const std::vector<question_word>& words, bool tolerant, table_part part = table_part::forms) {
    const auto things = possible_things(words, tolerant);
    for (const question_row& row : question_table()) {
        if (is_member_row(row) != (part == table_part::lookups)) {
            continue;
        }
        if (auto found = match_row(row, row.sentences, words, tolerant)) {
            return found;
        }
        for (const auto& thing : things) {
            if (auto found = match_row(row, row.things, thing, tolerant)) {
                return found;
            }
        }
    }
    return std::nullopt;
}

/// Whether a question of this word alone is the beginning of a question, and not a name.
bool is_question_word(string_view text) {
    constexpr string_view words[] = {"what",    "which", "where", "when", "who",     "how",       "why",      "is",
                                     "are",     "does",  "do",    "show", "compute", "calculate", "evaluate", "describe",
                                     "explain", "tell",  "give",  "find", "can",     "could"};
    const std::string low = ascii_lower(text);
    return std::find(std::begin(words), std::end(words), low) != std::end(words);
}

/// "what is the sum of xs" for "what the sum of xs is".
std::string direct_order(const std::vector<question_word>& words) {
    if (words.size() < 3 || (words.front().lower != "what" && words.front().lower != "which" && words.front().lower != "where")) {
        return {};
    }
    const std::string& verb = words.back().lower;
    if (verb != "is" && verb != "are" && verb != "was") {
        return {};
    }
    const char* begin = words[1].typed.data();
    const char* end = words[words.size() - 2].typed.data() + words[words.size() - 2].typed.size();
    return words.front().lower + " " + verb + " " + std::string(begin, end);
}

}  // namespace

namespace {

/// The words without those that only give an English sentence its tone, and without "show me" before "which variables".
std::vector<question_word> without_fillers(std::vector<question_word> words) {
    constexpr string_view fillers[] = {"currently", "actually", "really", "please", "exactly", "basically", "right"};
    constexpr string_view verbs[] = {"show", "tell", "list", "give", "see", "explain"};
    constexpr string_view begins[] = {"what", "which", "how", "where", "why", "whether", "if"};
    const auto is_in = [](const auto& list, const question_word& word) {
        return std::find(std::begin(list), std::end(list), word.lower) != std::end(list);
    };
    if (words.size() > 2) {
        std::erase_if(words, [&](const question_word& word) { return is_in(fillers, word); });
    }
    const std::size_t verb = !words.empty() && is_in(verbs, words[0]) ? 1 : 0;
    const std::size_t skipped = verb == 1 && words.size() > 1 && (words[1].lower == "me" || words[1].lower == "us") ? 2 : verb;
    if (skipped > 0 && words.size() > skipped + 1 && is_in(begins, words[skipped])) {
        const bool condition = words[skipped].lower == "whether" || words[skipped].lower == "if";
        words.erase(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(skipped + (condition ? 1 : 0)));
    }
    return words;
}

}  // namespace

question recognise(string_view text) {
    const std::string tidied = tidy_question(text);
    const std::vector<question_word> words = without_fillers(words_of(tidied));
    if (words.empty()) {
        return {};
    }
    if (auto found = match_table(words, false)) {
        return *std::move(found);
    }
    if (const std::string turned = direct_order(words); !turned.empty()) {
        if (auto found = match_table(words_of(turned), false)) {
            return *std::move(found);
        }
    }
    string_view bare = tidied;
    if (bare.size() > 2 && bare.front() == '`' && bare.back() == '`') {
        bare = trimmed(bare.substr(1, bare.size() - 2));
    }
    if (is_bare_expression(bare) && !is_question_word(bare)) {
        return {.form = is_object_path(bare) ? form::value : form::computation, .subject = std::string(bare)};
    }
    if (auto found = match_table(words, true)) {
        return *std::move(found);
    }
    if (auto found = match_table(words, false, table_part::lookups)) {
        return *std::move(found);
    }
    // "the price column of df"
    if (auto subject = read_subject(tidied); subject && subject->find('[') != std::string::npos && tidied.find('[') == std::string::npos) {
        return {.form = is_object_path(*subject) ? form::value : form::computation, .subject = *std::move(subject)};
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
