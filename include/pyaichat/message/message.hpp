#pragma once
#include <pyaichat/message/part.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// The author of a message. `user` is the host: it sends questions and replies to calls. (Instructions are a part of the request.)
enum class role : unsigned char { user, model };

/// Returns the name of the enumerator, such as "user".
[[nodiscard]] std::string_view to_string(role value) noexcept;

/// A message exactly as the service sent it. The provider with this name sends it back unchanged; another provider encodes the parts.
struct wire_form {
    std::string provider = {};
    json body = {};
};

/// One turn of a conversation.
struct message {
    pyaichat::role role = pyaichat::role::user;
    std::vector<part> parts = {};
    std::optional<wire_form> wire = {};
    bool synthetic = false;  ///< written by the loop or `repair_history`, for example to close a turn that the model did not finish

    /// Returns all text parts, concatenated. Thoughts are left out.
    [[nodiscard]] std::string text() const;

    /// Returns whether a part is a `call_part`.
    [[nodiscard]] bool has_calls() const noexcept;
};

/// Returns a message with one text part.
[[nodiscard]] message user_message(std::string text);
[[nodiscard]] message model_message(std::string text);

}  // namespace pyaichat::inline PYAICHAT_ABI
