#pragma once
#include <pyaichat/core/json.hpp>

#include "offline/question.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A reply as the model sees it, with the plain name of the capability that it came from.
struct plain_reply {
    std::string_view capability = {};
    json envelope = {};
};

/// The answer to a question from the replies to its calls. Never empty.
[[nodiscard]] std::string answer_from(const question& asked, const std::vector<plain_reply>& replies);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
