#include <pyaichat/message/message.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

std::string message::text() const {
    std::string joined;
    for (const part& piece : parts) {
        if (const auto* text = piece.as<text_part>()) {
            joined += text->text;
        }
    }
    return joined;
}

bool message::has_calls() const noexcept {
    return std::any_of(parts.begin(), parts.end(), [](const part& piece) { return piece.as<call_part>() != nullptr; });
}

message user_message(std::string text) {
    return {.role = role::user, .parts = {text_part{.text = std::move(text)}}};
}

message model_message(std::string text) {
    return {.role = role::model, .parts = {text_part{.text = std::move(text)}}};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
