#include <pyaichat/message/message.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

std::string message::text() const {
    std::string joined;
    for (const part& one : parts) {
        if (const auto* piece = one.as<text_part>()) {
            joined += piece->text;
        }
    }
    return joined;
}

bool message::has_calls() const noexcept {
    return std::any_of(parts.begin(), parts.end(), [](const part& one) { return one.as<call_part>() != nullptr; });
}

message user_message(std::string text) {
    message created;
    created.role = role::user;
    created.parts.push_back(text_part{.text = std::move(text)});
    return created;
}

message model_message(std::string text) {
    message created = user_message(std::move(text));
    created.role = role::model;
    return created;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
