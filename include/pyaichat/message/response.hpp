#pragma once
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/message.hpp>
#include <pyaichat/message/usage.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Why a model stopped, as far as the loop has to know. The service's own word is kept beside it.
enum class finish_reason : unsigned char {
    stop,       ///< a natural end, calls included
    length,     ///< an output limit cut it; its text is good, its calls are not
    blocked,    ///< safety, recitation, forbidden content: the content must not be used
    malformed,  ///< the model's output could not be read, or failed inside the service: unusable, a retry may help
    unknown,    ///< a word that this version does not know, or none: usable as text, but ended abnormally
};

[[nodiscard]] std::string_view to_string(finish_reason value) noexcept;

/// One of the answers that a model offers.
struct candidate {
    message content = {.role = role::model};
    finish_reason finish = finish_reason::unknown;
    std::string finish_text = {};     ///< the service's word: "MAX_TOKENS"; empty when it sent none
    std::string finish_message = {};  ///< the service's explanation, when it sent one
    /// Optional: `request.declarations.check` of each call in `content`, in order. The loop validates the arguments of the other calls.
    std::vector<argument_check> checks = {};
};

/// What a provider makes of one successful exchange. It decides nothing: which candidate is used is the loop's choice.
struct model_response {
    std::vector<candidate> candidates = {};
    std::optional<std::string> prompt_block = {};  ///< the prompt was refused; the service's word for why
    token_usage usage = {};
    std::string model = {};  ///< who really answered, when the service says so
};

}  // namespace pyaichat::inline PYAICHAT_ABI
