#include "offline/question_text.hpp"

#include <pyaichat/core/text.hpp>

#include "offline/subject.hpp"

#include <algorithm>
#include <iterator>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// What people say before a question. Longer texts come before those that they begin with.
constexpr string_view openings[] = {"how do i get",
                                    "how can i get",
                                    "how do i find",
                                    "how can i see",
                                    "how do i see",
                                    "please",
                                    "pls",
                                    "can you please",
                                    "could you please",
                                    "would you please",
                                    "can you",
                                    "could you",
                                    "would you",
                                    "will you",
                                    "can i see",
                                    "can i get",
                                    "can i have",
                                    "may i see",
                                    "i want to know",
                                    "i want to see",
                                    "i want",
                                    "i wanna know",
                                    "i would like to know",
                                    "i would like to see",
                                    "i'd like to know",
                                    "i'd like to see",
                                    "i would like",
                                    "i'd like",
                                    "i need to know",
                                    "i need to see",
                                    "i need",
                                    "i am wondering",
                                    "i'm wondering",
                                    "i wonder",
                                    "do you know",
                                    "do you see",
                                    "let me know",
                                    "let me see",
                                    "let's see",
                                    "explain to me",
                                    "tell me",
                                    "remind me",
                                    "hi",
                                    "hello",
                                    "hey",
                                    "ok",
                                    "okay",
                                    "so",
                                    "well",
                                    "now",
                                    "then",
                                    "sorry",
                                    "hm",
                                    "hmm",
                                    "help me understand",
                                    "could i see",
                                    "quick question:",
                                    "just",
                                    "but",
                                    "exactly",
                                    "again"};

constexpr string_view endings[] = {"please",           "pls",       "thanks",  "thank you", "for me",        "right now", "now",     "then",
                                   "and their values", "currently", "exactly", "again",     "at the moment", "in python", "actually"};

constexpr std::pair<string_view, string_view> contractions[] = {{"what's", "what is"},
                                                                {"whats", "what is"},
                                                                {"what're", "what are"},
                                                                {"where's", "where is"},
                                                                {"wheres", "where is"},
                                                                {"who's", "who is"},
                                                                {"how's", "how is"},
                                                                {"that's", "that is"},
                                                                {"which's", "which is"},
                                                                {"it's", "it is"},
                                                                {"doesn't", "does not"},
                                                                {"didn't", "did not"},
                                                                {"isn't", "is not"},
                                                                {"there's", "there is"},
                                                                {"why's", "why is"},
                                                                {"what\xE2\x80\x99s", "what is"},
                                                                {"where\xE2\x80\x99s", "where is"}};

bool is_mark(char c) {
    return c == '?' || c == '!' || c == '.' || c == ',' || c == ';' || is_space(c);
}

/// Removes a phrase from the front if a blank or a mark follows it and more text comes after.
bool drop_opening(string_view& text, string_view phrase) {
    if (text.size() <= phrase.size() || !equals_ignoring_case(text.substr(0, phrase.size()), phrase)) {
        return false;
    }
    string_view rest = text.substr(phrase.size());
    if (!is_mark(rest.front()) || rest.front() == '.') {
        return false;
    }
    while (!rest.empty() && is_mark(rest.front())) {
        rest.remove_prefix(1);
    }
    if (rest.empty() || equals_ignoring_case(rest, "there")) {  // "hi there"
        return false;
    }
    text = rest;
    return true;
}

bool drop_ending(string_view& text, string_view phrase) {
    if (text.size() <= phrase.size() + 1 || !equals_ignoring_case(text.substr(text.size() - phrase.size()), phrase)) {
        return false;
    }
    const string_view rest = text.substr(0, text.size() - phrase.size());
    if (rest.back() != ' ' && rest.back() != ',') {
        return false;
    }
    text = rest;
    return true;
}

string_view without_final_marks(string_view text) {
    while (!text.empty() && is_mark(text.back())) {
        text.remove_suffix(1);
    }
    return text;
}

string_view without_courtesies(string_view text) {
    for (bool dropped = true; dropped;) {
        text = without_final_marks(trimmed(text));
        dropped = std::any_of(std::begin(openings), std::end(openings), [&](string_view each) { return drop_opening(text, each); }) ||
                  std::any_of(std::begin(endings), std::end(endings), [&](string_view each) { return drop_ending(text, each); });
    }
    return text;
}

/// The text with its contractions written out. Blanks stay, because they may be inside quotes.
std::string without_contractions(string_view text) {
    std::string out;
    std::size_t end = 0;
    for (const question_word& word : words_of(text)) {
        const auto* const found =
            std::find_if(std::begin(contractions), std::end(contractions), [&](const auto& each) { return each.first == word.lower; });
        const auto begin = static_cast<std::size_t>(word.typed.data() - text.data());
        out += text.substr(end, begin - end);
        out += found == std::end(contractions) ? word.typed : found->second;
        end = begin + word.typed.size();
    }
    return out;
}

/// "columns of df" for "df's columns", "type of it" for "its type". The owner is a path; what is owned follows it.
std::string without_possessive(const std::string& text) {
    const std::vector<question_word> words = words_of(text);
    for (std::size_t index = 0; index + 1 < words.size(); ++index) {
        string_view owner = words[index].typed;
        const std::string before = text.substr(0, static_cast<std::size_t>(owner.data() - text.data()));
        const std::string owned = text.substr(static_cast<std::size_t>(words[index + 1].typed.data() - text.data()));
        if (words[index].lower == "its") {
            return before + owned + " of it";
        }
        const string_view mark = owner.ends_with("'s") ? "'s" : "\xE2\x80\x99s";
        if (!owner.ends_with(mark)) {
            continue;
        }
        owner.remove_suffix(mark.size());
        if (owner.size() > 2 && owner.front() == '`' && owner.back() == '`') {
            owner = owner.substr(1, owner.size() - 2);
        }
        if (is_object_path(owner)) {
            return before + owned + " of " + std::string(owner);
        }
    }
    return text;
}

}  // namespace

std::vector<question_word> words_of(string_view text) {
    std::vector<question_word> out;
    while (!(text = trimmed(text)).empty()) {
        const auto end = std::find_if(text.begin(), text.end(), is_space);
        const string_view word = text.substr(0, static_cast<std::size_t>(end - text.begin()));
        std::string lower = ascii_lower(word);
        if (lower.size() > 1 && (lower.back() == ',' || lower.back() == ':')) {
            lower.pop_back();
        }
        out.push_back({.typed = word, .lower = std::move(lower)});
        text.remove_prefix(word.size());
    }
    return out;
}

std::string tidy_question(string_view text) {
    if (text.size() > longest_question) {
        return {};
    }
    const std::string row = one_row(repair_utf8(text), longest_question * 3);  // a repaired byte takes three
    return without_possessive(without_contractions(without_courtesies(row)));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
