#pragma once
#include <pyaichat/message/conversation.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Messages as JSON, for a host that keeps them itself: parts, wire forms and all, so that `read_conversation` gives back what was stored.
/// Kept by other versions' messages too: what a later version adds is left out, not refused. Any thread.
[[nodiscard]] json stored(const conversation& messages);

/// Reads what `stored` wrote. Fails with `bad_response`, which says where it is damaged.
[[nodiscard]] result<conversation> read_conversation(const json& document);

}  // namespace pyaichat::inline PYAICHAT_ABI
