#pragma once
#include "offline/lookups.hpp"
#include "offline/question.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A question that refers to what was said or run before, without the reference.
struct resolved_question {
    question asked = {};
    std::string unclear = {};  ///< a sentence that asks back; empty if the question is clear
};

/// Replaces "it" and "and y?" by what they stand for: the subject of the last question, else the name that the last entry bound. The
/// earlier questions are those of the conversation, the last one at the end; without them, `get_last_entry` is called if it is declared. If
/// its reply is missing, `look` needs the call, and the result must not be used.
[[nodiscard]] resolved_question resolve(question asked, const std::vector<std::string>& earlier, lookups& look);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
