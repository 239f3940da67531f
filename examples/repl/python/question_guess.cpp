#include "python/question_guess.hpp"

#include "python/python_lexer.hpp"
#include "python/python_words.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace repl {

namespace {

constexpr std::size_t max_question = 1000;

/// Words that begin a question or a request.
constexpr auto first_words = std::to_array<std::string_view>(
    {"are",     "can",    "compare", "compute", "could",     "count",     "describe", "did",   "do",   "does",
     "explain", "find",   "give",    "has",     "have",      "help",      "how",      "is",    "list", "please",
     "plot",    "should", "show",    "sort",    "summarise", "summarize", "tell",     "thank", "was",  "were",
     "what",    "what's", "whats",   "when",    "where",     "which",     "who",      "why",   "will", "would"});

/// Small words of English sentences that faulty Python hardly has side by side with others.
constexpr auto small_words = std::to_array<std::string_view>(
    {"a",    "about", "all",   "an",   "any",  "are",   "at",   "be", "can", "do", "does", "first", "have", "how",  "i",
     "it",   "its",   "last",  "many", "me",   "most",  "much", "my", "of",  "on", "our",  "so",    "than", "that", "the",
     "them", "there", "these", "they", "this", "those", "to",   "up", "was", "we", "what", "why",   "will", "you",  "your"});

static_assert(std::ranges::is_sorted(first_words) && std::ranges::is_sorted(small_words));

/// What the text consists of, apart from quoted pieces.
struct text_parts {
    std::vector<std::string> words = {};  ///< in lower case, of letters, digits, `_`, `.`, `'`, `-`
    std::size_t other = 0;                ///< words with other characters: `x=3`, `a[0]`, `f(x)`
    bool question_mark = false;           ///< at the end
    bool ends_with_colon = false;
    bool ends_with_bracket = false;  ///< a closing one, as in `attack()`
    bool assigns = false;            ///< has a `=` between blanks, or an operator of Python
};

bool is_word(std::string_view word) {
    return std::ranges::all_of(word, [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '\'' || c == '-' ||
               static_cast<unsigned char>(c) >= 0x80;
    });
}

text_parts parts_of(std::string_view text) {
    text_parts parts{.question_mark = text.ends_with('?'),
                     .ends_with_colon = text.ends_with(':'),
                     .ends_with_bracket = text.ends_with(')') || text.ends_with(']')};
    const std::string lower = pyaichat::detail::ascii_lower(text);
    for (std::size_t at = lower.find_first_not_of(" \t"); at != std::string::npos;) {
        const std::size_t end = std::min(lower.find_first_of(" \t", at), lower.size());
        std::string_view word = std::string_view(lower).substr(at, end - at);
        while (!word.empty() && std::string_view("?!.,;").find(word.back()) != std::string_view::npos) {
            word.remove_suffix(1);
        }
        const bool has_letter = std::ranges::any_of(word, [](char c) { return c >= 'a' && c <= 'z'; });
        if (!word.empty() && is_word(word) && (has_letter || word.find_first_not_of("0123456789.") == std::string_view::npos)) {
            parts.words.emplace_back(word);
        } else if (!word.empty()) {
            ++parts.other;
            parts.assigns = parts.assigns || (!has_letter && word.find_first_of("=<>+*/%@|&^~:") != std::string_view::npos);
        }
        at = lower.find_first_not_of(" \t", end);
    }
    return parts;
}

bool is_listed(std::string_view word, std::span<const std::string_view> words) {
    return std::ranges::binary_search(words, word);
}

/// Whether the words may be a faulty statement: `for x in y`, `import os as`, `is not x`.
bool begins_like_python(const text_parts& parts) {
    const std::string& first = parts.words.front();
    const bool asks_is = first == "is" && parts.words.size() > 1 && !is_keyword(parts.words[1]);
    return is_keyword(first) && !asks_is;
}

}  // namespace

bool looks_like_a_question(std::string_view entry) {
    const std::string_view text = pyaichat::detail::trimmed(entry);
    if (text.empty() || text.size() > max_question || text.find_first_of("\n{}=#\\@") != std::string_view::npos) {
        return false;
    }
    if (!lex_python(text).open.empty()) {
        return false;
    }
    const text_parts parts = parts_of(text);
    const std::size_t words = parts.words.size();
    if (words == 0 || words + parts.other < 2 || parts.ends_with_colon || parts.assigns || begins_like_python(parts) ||
        parts.other > std::max<std::size_t>(words / 2, 1)) {
        return false;
    }
    const bool asks = is_listed(parts.words.front(), first_words);
    const auto small =
        static_cast<std::size_t>(std::ranges::count_if(parts.words, [](const std::string& word) { return is_listed(word, small_words); }));
    if (parts.question_mark) {
        return words >= 3 || (words == 2 && asks);
    }
    if (asks) {
        return words >= 3 || parts.other == 0 || (words == 1 && parts.ends_with_bracket);
    }
    return words >= 4 && small >= 2;
}

}  // namespace repl
