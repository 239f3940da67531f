#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/request.hpp>

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

// The arguments of hooks, as JSON.
[[nodiscard]] json value_of(const proposed_call& call);
[[nodiscard]] json value_of(const capability_call& call);
[[nodiscard]] json value_of(const model_request& request);
[[nodiscard]] json value_of(const event& happened);

/// Converts the return value of `before_call`: `{deny = "reason"}`, `{ask = "why"}` or `{args = {...}}`; `nullopt` for anything else.
[[nodiscard]] std::optional<call_decision> decision_of(const json& value);

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
