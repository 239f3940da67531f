#pragma once
#include "offline/lookups.hpp"
#include "offline/question.hpp"

#include <pyaichat/message/request.hpp>
#include <pyaichat/message/response.hpp>

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Returns whether the answer to this request has a schema.
[[nodiscard]] bool wants_value(const model_request& request);

/// Returns the message that gives the value of an answer in the way of the request: as JSON text, or by the function of the answer. The
/// value comes from the replies, or is `text` itself. Returns nothing if none of these satisfies the schema.
[[nodiscard]] std::optional<message> give_value(const model_request& request, const question& asked, const std::vector<past_call>& past,
                                                const std::string& text);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
