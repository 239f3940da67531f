#include "offline/closest_forms.hpp"

#include "offline/question_table.hpp"
#include "offline/question_text.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// Words that say nothing about the form.
constexpr string_view common_words[] = {"a",    "an",  "the", "is",  "are",  "was",  "of",   "in",    "to",   "me",
                                        "i",    "you", "it",  "do",  "does", "did",  "what", "which", "how",  "that",
                                        "this", "and", "or",  "for", "on",   "with", "have", "has",   "there"};

/// The words of all phrasings of a row.
std::set<std::string, std::less<>> vocabulary_of(const question_row& row) {
    std::set<std::string, std::less<>> out;
    for (const auto* phrases : {&row.sentences, &row.things}) {
        for (string_view phrase : *phrases) {
            while (!phrase.empty()) {
                const std::size_t end = std::min(phrase.find_first_of("()| "), phrase.size());
                out.emplace(phrase.substr(0, end));
                phrase.remove_prefix(std::min(end + 1, phrase.size()));
            }
        }
    }
    for (const string_view word : common_words) {
        out.erase(std::string(word));
    }
    out.erase("");
    return out;
}

struct scored_form {
    string_view shown;
    std::size_t score;
};

}  // namespace

std::string all_forms() {
    std::string out =
        "I am the offline provider, not a language model. I understand these forms, in many phrasings; X and Y are names or expressions:";
    for (const question_row& row : question_table()) {
        out += row.shown.empty() ? std::string() : "\n  " + std::string(row.shown);
    }
    return out;
}

std::string say_not_understood(string_view question) {
    std::vector<scored_form> forms;
    const std::vector<question_word> words = words_of(tidy_question(question));
    for (const question_row& row : question_table()) {
        if (row.shown.empty()) {
            continue;
        }
        const auto known = vocabulary_of(row);
        const auto score = static_cast<std::size_t>(
            std::count_if(words.begin(), words.end(), [&](const question_word& word) { return known.find(word.lower) != known.end(); }));
        forms.push_back({.shown = row.shown, .score = score});
    }
    std::stable_sort(forms.begin(), forms.end(), [](const scored_form& a, const scored_form& b) { return a.score > b.score; });
    if (forms.front().score == 0) {
        forms = {{"what is X", 0}, {"which variables are there", 0}, {"why did it fail", 0}};
    }
    std::string out = "I do not understand that. I am the offline provider, not a language model. The forms that come closest:";
    for (std::size_t index = 0; index < 3; ++index) {
        out += (index == 0 ? " " : "; ") + std::string(forms[index].shown);
    }
    return out + ". `what can you do?` lists all.";
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
