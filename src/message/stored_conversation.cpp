#include <pyaichat/message/stored_conversation.hpp>

#include "message/part_json.hpp"

namespace pyaichat::inline PYAICHAT_ABI {

json stored(const conversation& messages) {
    json list = json::array();
    for (const message& one : messages) {
        list.push_back(detail::written(one));
    }
    return list;
}

result<conversation> read_conversation(const json& document) {
    conversation messages;
    detail::document_fault fault;
    if (!document.is_array()) {
        fault.report({}, "is no list of messages");
    }
    for (std::size_t i = 0; document.is_array() && i < document.size() && !fault.found(); ++i) {
        messages.push_back(detail::read_message({document[i], "/" + std::to_string(i), fault}));
    }
    if (fault.found()) {
        return failure{.code = errc::bad_response,
                       .message = "the stored conversation cannot be read: " + fault.text(),
                       .hint = "Give back what `stored` wrote, unchanged."};
    }
    return messages;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
