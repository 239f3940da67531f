#pragma once
#include "python/snapshot/sealed_child.hpp"

#include <pyaichat/core/result.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Converts the end of a snapshot to the reply to its call. `span` says how long the snapshot was allowed to run.
[[nodiscard]] capability_reply snapshot_reply(const result<child_end>& outcome, const std::string& span);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
