#pragma once
#include <pyaichat/message/capability_reply.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Changes a reply so that JSON preserves it, because a replayed run must equal the original: repairs UTF-8, replaces infinite and NaN
/// numbers by null and binary values by lists. A reply that nests too deep becomes an error.
void normalise(capability_reply& reply);
/// The same for arguments. Returns false, and changes nothing, if they nest too deep; then they must not be copied, since a copy recurses.
bool normalise(json& arguments);

/// Only replaces a reply that nests too deep. Call it before a copy, which recurses.
void bound_depth(capability_reply& reply);

/// Shortens a normalised reply to `bytes` of JSON (0 = no limit). A result is replaced by the head and tail of its text, and `truncated`
/// has the number of omitted bytes. An error keeps the beginning of its message.
void shorten_reply(capability_reply& reply, std::size_t bytes);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
