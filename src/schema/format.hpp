#pragma once
#include <pyaichat/config/config.hpp>

#include "schema/keyword.hpp"

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A value of the keyword `format` that can be validated.
struct text_format {
    std::string_view name;
    std::string_view description;  ///< continues "must be"
    bool (*accepts)(std::string_view text);
    draft since = draft::draft4;
};

/// Returns the format `name` of a draft, which is never destroyed, or null if the draft does not have it.
[[nodiscard]] const text_format* find_format(std::string_view name, draft which) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
