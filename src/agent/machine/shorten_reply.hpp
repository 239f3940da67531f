#pragma once
#include <pyaichat/message/capability_reply.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Cuts a reply whose envelope is longer than `bytes` as text (0 = any length): a result becomes the head and tail of its text, `truncated`
/// says how many bytes were left out; an error keeps the beginning of its message. What nests too deep to be sent becomes an error.
void shorten_reply(capability_reply& reply, std::size_t bytes);

/// The last of it alone, before anybody copies the reply: a copy recurses.
void bound_depth(capability_reply& reply);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
