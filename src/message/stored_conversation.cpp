#include <pyaichat/message/stored_conversation.hpp>

#include "message/stored_form.hpp"

namespace pyaichat::inline PYAICHAT_ABI {

json stored(const conversation& messages) {
    return detail::written(messages);
}

result<conversation> read_conversation(const json& document) {
    conversation messages;
    if (const std::optional<std::string> fault = detail::fault_in(document, messages)) {
        return failure{.code = errc::bad_response,
                       .message = "the stored conversation cannot be read: " + *fault,
                       .hint = "Pass the JSON that `stored` returned, unchanged."};
    }
    return messages;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
