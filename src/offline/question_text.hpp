#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A word of a question: its text as typed, and in lower case without a comma at its end.
struct question_word {
    std::string_view typed = {};
    std::string lower = {};
};

/// Longer questions are not understood. The limit keeps the time for reading hostile text short.
inline constexpr std::size_t longest_question = 4000;

/// Returns the question without control characters, courtesies ("can you tell me", "please") and final marks, with contractions
/// written out ("what's" becomes "what is") and possessives turned ("df's columns" becomes "columns of df").
[[nodiscard]] std::string tidy_question(std::string_view text);

/// Splits a text at blanks. The words point into `text`.
[[nodiscard]] std::vector<question_word> words_of(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
