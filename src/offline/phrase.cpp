#include "offline/phrase.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr std::size_t most_words = 100;
constexpr std::size_t shortest_misspelt = 4;

bool same_word(string_view typed, string_view meant, bool tolerant) {
    return typed == meant || (tolerant && meant.size() >= shortest_misspelt && edit_distance(typed, meant, 1) == 1);
}

bool one_of(string_view typed, string_view choices, bool tolerant) {
    while (!choices.empty()) {
        const std::size_t end = std::min(choices.find('|'), choices.size());
        if (same_word(typed, choices.substr(0, end), tolerant)) {
            return true;
        }
        choices.remove_prefix(std::min(end + 1, choices.size()));
    }
    return false;
}

/// The state of one match: what is left of the phrase, and the next word.
class phrase_match {
public:
    phrase_match(const std::vector<question_word>& words, bool tolerant, const std::function<bool(const phrase_slots&)>& accept)
        : words_(words), tolerant_(tolerant), accept_(accept) {}

    bool fits(string_view phrase, std::size_t next) {
        if (phrase.empty()) {
            return next == words_.size() && accept_(slots_);
        }
        const std::size_t end = std::min(phrase.find(' '), phrase.size());
        const string_view piece = phrase.substr(0, end);
        const string_view rest = phrase.substr(std::min(end + 1, phrase.size()));
        if (piece == "X" || piece == "Y") {
            return fits_slot(piece == "X" ? slots_.subject : slots_.other, rest, next);
        }
        if (piece == "N") {
            slots_.count = next < words_.size() ? words_[next].lower : string_view();
            return next < words_.size() && fits(rest, next + 1);
        }
        const bool optional = piece.starts_with('(');
        const string_view choices = optional ? piece.substr(1, piece.size() - 2) : piece;
        if (next < words_.size() && one_of(words_[next].lower, choices, tolerant_) && fits(rest, next + 1)) {
            return true;
        }
        return optional && fits(rest, next);
    }

private:
    bool fits_slot(string_view& slot, string_view rest, std::size_t begin) {
        // The last slot takes all that is left: nothing else can match.
        const std::size_t first = rest.empty() ? words_.size() : begin + 1;
        for (std::size_t end = first; begin < words_.size() && end <= words_.size(); ++end) {
            const char* from = words_[begin].typed.data();
            const string_view last = words_[end - 1].typed;
            slot = string_view(from, static_cast<std::size_t>(last.data() + last.size() - from));
            if (fits(rest, end)) {
                return true;
            }
        }
        slot = {};
        return false;
    }

    const std::vector<question_word>& words_;
    bool tolerant_;
    const std::function<bool(const phrase_slots&)>& accept_;
    phrase_slots slots_ = {};
};

}  // namespace

bool match_phrase(string_view phrase, const std::vector<question_word>& words, bool tolerant,
                  const std::function<bool(const phrase_slots&)>& accept) {
    return words.size() <= most_words && phrase_match(words, tolerant, accept).fits(phrase, 0);
}

std::size_t edit_distance(string_view a, string_view b, std::size_t most) {
    constexpr std::size_t longest_name = 100;
    const std::size_t difference = a.size() > b.size() ? a.size() - b.size() : b.size() - a.size();
    if (difference > most || a.size() > longest_name || b.size() > longest_name) {
        return a == b ? 0 : most + 1;
    }
    std::vector<std::size_t> before(b.size() + 1);
    std::vector<std::size_t> last(b.size() + 1);
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t column = 0; column <= b.size(); ++column) {
        last[column] = column;
    }
    for (std::size_t line = 1; line <= a.size(); ++line) {
        row[0] = line;
        for (std::size_t column = 1; column <= b.size(); ++column) {
            const std::size_t changed = last[column - 1] + (a[line - 1] == b[column - 1] ? 0 : 1);
            row[column] = std::min({changed, last[column] + 1, row[column - 1] + 1});
            if (line > 1 && column > 1 && a[line - 1] == b[column - 2] && a[line - 2] == b[column - 1]) {
                row[column] = std::min(row[column], before[column - 2] + 1);
            }
        }
        std::swap(before, last);
        std::swap(last, row);
    }
    return std::min(last[b.size()], most + 1);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
