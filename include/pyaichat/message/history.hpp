#pragma once
#include <pyaichat/message/conversation.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Returns the reasons why a provider may refuse these messages, such as "messages[2] is empty". Returns nothing if every provider accepts
/// them. Thread-safe. Takes linear time, apart from a logarithm of the number of calls in a message.
///
/// A valid history begins with a user message, and the roles alternate. Each message has a text, an image, a call or a reply. Images are
/// valid and from the user. A message with calls is followed by a message with one reply to each call: in the same order, with the same ids
/// and names, after any texts and images. There are no other replies. The last message may have either role.
[[nodiscard]] std::vector<std::string> check_history(const conversation& history);

/// Returns a copy in which `check_history` finds nothing wrong. Use it for messages from other programs, from storage or from an
/// interrupted run: append the question, then repair. Thread-safe, deterministic and idempotent.
///
/// - A reply without a call is removed. A call without a reply gets a reply with the code `cancelled`.
/// - Empty messages are removed. Consecutive messages of the same role are merged, with texts and images before replies.
/// - An image that is not valid, or from the model, is removed.
/// - A user text or image in a separate message after replies is a new question: a `synthetic` model message is inserted before it.
/// - If the first message is from the model, a `synthetic` user message is inserted before it.
///
/// An unchanged message stays the same shared object. A changed message loses its wire form and its parts of type `opaque_part`.
[[nodiscard]] conversation repair_history(const conversation& history);

}  // namespace pyaichat::inline PYAICHAT_ABI
