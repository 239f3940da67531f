#pragma once
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/message.hpp>
#include <pyaichat/message/money.hpp>
#include <pyaichat/message/usage.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Why the model stopped. `candidate::finish_text` has the service's own word.
enum class finish_reason : unsigned char {
    stop,        ///< normal end, with or without calls
    length,      ///< cut by an output limit: the text is usable, the calls are not
    blocked,     ///< safety, recitation or forbidden content: the content must not be used
    malformed,   ///< the model's output could not be parsed, or the service failed: unusable, a retry may help
    unanswered,  ///< the model cannot answer, and its text says why: no calls, a retry does not help
    unknown,     ///< missing, or not known to this version: the text is usable, but the end is abnormal
};

/// Returns the name of the enumerator, such as "stop".
[[nodiscard]] std::string_view to_string(finish_reason value) noexcept;

/// One of the alternative contents of a response.
struct candidate {
    message content = {.role = role::model};
    finish_reason finish = finish_reason::unknown;
    std::string finish_text = {};     ///< the service's word, such as "MAX_TOKENS"; empty if it sent none
    std::string finish_message = {};  ///< the service's explanation; empty if it sent none
    /// Optional: `request.declarations.check` of each call in `content`, in order. The loop validates the arguments of the other calls.
    std::vector<argument_check> checks = {};
};

/// The output of one successful attempt. The loop chooses the candidate.
struct model_response {
    std::vector<candidate> candidates = {};
    std::optional<std::string> prompt_block = {};  ///< the service's word for why it refused the prompt
    token_usage usage = {};
    std::string model = {};          ///< the model that responded, if the service names it
    std::optional<money> cost = {};  ///< of this attempt; empty = not known
};

}  // namespace pyaichat::inline PYAICHAT_ABI
