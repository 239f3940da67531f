#pragma once
#include <pyaichat/message/message.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// The text of a member; empty when it is missing or of another type.
[[nodiscard]] inline std::string string_of(const json& object, std::string_view key) {
    return std::string(string_member(object, key).value_or(""));
}

/// Who wrote a wire form, when the model's name does not tell its generation.
inline constexpr std::string_view any_writer = "gemini";

/// Whether what stands in the message's wire form may go back to the models of `writer`.
[[nodiscard]] inline bool written_for(const message& one, std::string_view writer) noexcept {
    if (!one.wire) {
        return false;
    }
    const std::string_view author = one.wire->provider;
    return author == writer || author == any_writer || (writer == any_writer && author.starts_with("gemini-"));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
