#pragma once
#include <pyaichat/message/conversation.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Encodes a conversation as JSON, with all parts and wire forms, for a host that stores it. Thread-safe.
[[nodiscard]] json stored(const conversation& messages);

/// Decodes what `stored` returned. Ignores members of later versions. Fails with `bad_response`, naming the invalid member. Thread-safe.
[[nodiscard]] result<conversation> read_conversation(const json& document);

}  // namespace pyaichat::inline PYAICHAT_ABI
