#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/capability_reply.hpp>

#include <span>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

class session_state;

/// The declarations of the eight introspection capabilities; they live as long as the program.
[[nodiscard]] const capability_list& capability_specs();

/// Runs one capability, on Python's thread with the GIL held. Only `eval_expr` runs user code. Leaves no Python error set.
[[nodiscard]] capability_reply run_capability(session_state& session, std::string_view name, const json& arguments);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
