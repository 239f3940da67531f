#pragma once
#include <pyaichat/message/capability_reply.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Reduces a reply to what the policy `schema` allows: members of a fixed list with names, types, sizes, positions and flags. Every other
/// value is replaced by a mark, so that a member that a capability gets later is withheld until the list has it.
[[nodiscard]] capability_reply without_values(capability_reply reply);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
