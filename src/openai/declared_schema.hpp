#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_spec.hpp>
#include <pyaichat/openai/openai_profile.hpp>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Returns the `parameters` of a function as the service takes them, or null if the member is left out. All schemas that are sent pass
/// here.
[[nodiscard]] json declared_parameters(const capability_spec& spec, const openai_profile& profile);

/// Returns whether a schema may be declared as `strict`: every object lists all its properties as required and allows no others.
[[nodiscard]] bool is_strict(const json& schema);

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
