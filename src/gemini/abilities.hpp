#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

/// The rules of a model that its name shows (wire document, section 17). The name may start with `models/`.
namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Whether the model refuses a call without a thought signature: from Gemini 3 on. A name without a generation counts as the newest.
[[nodiscard]] bool demands_signatures(std::string_view model) noexcept;

/// Whether the model takes a schema for its answer in a request with functions: from Gemini 3 on. False for a name of another family.
[[nodiscard]] bool combines_schema_and_functions(std::string_view model) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
