#pragma once
#include "python/session/session_state.hpp"
#include "python/snapshot/snapshot.hpp"

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Whether Python can be used in a child that is forked now. For Python's thread with the GIL held.
[[nodiscard]] bool can_fork_python();

/// Makes Python usable in a sealed child, evaluates an expression and sends to `document` the text of the value and the output, or the
/// exception. On the only thread of the child.
void evaluate_in_child(session_state& session, const std::string& expression, const snapshot_limits& limits, int document);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
