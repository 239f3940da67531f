#pragma once
#include <pyaichat/message/capability_reply.hpp>

#include <cstddef>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Makes a reply what it is after it was written and read again: texts are UTF-8, numbers are finite, nothing is binary, and what nests too
/// deep to be sent becomes an error. So a replayed run is what the run was.
void normalise(capability_reply& reply);

/// The depth alone, before anybody copies the reply: a copy recurses.
void bound_depth(capability_reply& reply);

/// Cuts a normal reply whose envelope is longer than `bytes` as text (0 = any length), in one pass: a result becomes the head and tail of
/// its text, `truncated` says how many bytes were left out; an error keeps the beginning of its message.
void shorten_reply(capability_reply& reply, std::size_t bytes);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
