#pragma once
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/python/session.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

struct capability_context;

/// The declarations of the capabilities of every session. `eval_expr` is declared `once` if the policy lets it run in the live session.
[[nodiscard]] const capability_list& capability_specs(eval_policy policy);

/// Whether expressions run in the live session.
[[nodiscard]] bool runs_live(eval_policy policy);

/// Whether the capability may run code of the user.
[[nodiscard]] bool runs_code(std::string_view capability);

/// Runs the capability that the call names, on Python's thread with the GIL held. Leaves no Python error set.
[[nodiscard]] capability_reply run_capability(capability_context context);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
