#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/openai/openai_profile.hpp>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Returns the `parameters` of a function, reduced to what the service accepts, or null if the member is left out. `needed` says that it
/// must not be left out.
[[nodiscard]] json declared_parameters(const capability_spec& spec, const openai_profile& profile, bool needed);

/// Returns whether a schema may be declared as `strict`: every object lists all its properties as required and allows no others.
[[nodiscard]] bool is_strict(const json& schema);

/// Returns whether the service can enforce a schema of an answer in the strict form without changing its meaning.
[[nodiscard]] bool is_enforceable(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
