#pragma once
#include <pyaichat/message/part.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Who speaks. `user` is the host's side: questions and replies to calls. Instructions are no message, they are part of the request.
enum class role : unsigned char { user, model };

[[nodiscard]] std::string_view to_string(role value) noexcept;

/// A message in the form in which a service sent it, kept verbatim: what a model sent goes back unchanged.
struct wire_form {
    std::string provider = {};  ///< who wrote it and may send it back; another provider encodes the parts anew
    json body = {};
};

/// One turn of a conversation.
struct message {
    pyaichat::role role = pyaichat::role::user;
    std::vector<part> parts = {};
    std::optional<wire_form> wire = {};
    bool synthetic = false;  ///< written by the loop in the model's name, to close a turn that the model did not finish

    /// All text parts joined; thoughts left out.
    [[nodiscard]] std::string text() const;
    [[nodiscard]] bool has_calls() const noexcept;
};

[[nodiscard]] message user_message(std::string text);
[[nodiscard]] message model_message(std::string text);

}  // namespace pyaichat::inline PYAICHAT_ABI
