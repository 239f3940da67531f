#pragma once
#include "offline/question_text.hpp"

#include <array>
#include <functional>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The texts that stand for the slots X, Y and N of a phrase. A slot that the phrase does not have is empty.
struct phrase_slots {
    std::string_view subject = {};  ///< X
    std::string_view other = {};    ///< Y
    std::string_view count = {};    ///< N: one word
};

/// Matches words with a phrase and calls `accept` for each way to fill the slots, shortest first, until it returns true. Returns
/// whether it did.
///
/// A phrase is words between blanks: `a|b` is one of two words, `(a|b)` may be missing, X and Y are one or more words, N is one. With
/// `tolerant`, a word of four letters or more also matches with one letter wrong, missing, added or swapped.
[[nodiscard]] bool match_phrase(std::string_view phrase, const std::vector<question_word>& words, bool tolerant,
                                const std::function<bool(const phrase_slots&)>& accept);

/// Returns the number of letters to change, add, remove or swap with their neighbour to get from one word to the other, or `most` + 1
/// if it is more than `most`.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b, std::size_t most);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
