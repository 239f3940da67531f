#pragma once
#include <pyaichat/message/conversation.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Why there are providers that would refuse these messages, in words, one sentence a fault (`messages[2] is empty`); none when every
/// provider accepts them. They may end with either role: whoever asks appends the question.
///
/// Accepted is: the first message is the user's, roles alternate, and each message has a text, a call or a reply; the message behind one
/// with calls has exactly one reply to each of them, in their order, with their ids and names, behind its texts; and there are no replies
/// elsewhere. Any thread; linear but for a logarithm in the calls of one message.
[[nodiscard]] std::vector<std::string> check_history(const conversation& history);

/// The same messages, repaired so that `check_history` finds nothing. For history from outside, which comes from other programs, from
/// storage, or from a run that was cut: append the question, then repair.
///
/// Replies without a call are dropped, calls without a reply get one with the code `cancelled`; empty messages are removed, and neighbours
/// of one role become one message, with texts before replies; a text that follows replies in a message of its own is a new question, and a
/// `synthetic` model message comes before it; a first message of the model's gets a `synthetic` one of the user's before it.
///
/// Deterministic and idempotent. A message that needs no change stays the very same object, its wire form with it, so that what was
/// remembered of it (a service's prompt cache, serialised text) still holds. One that is changed loses its wire form, and with it the parts
/// that only its provider understands. Any thread.
[[nodiscard]] conversation repair_history(const conversation& history);

}  // namespace pyaichat::inline PYAICHAT_ABI
