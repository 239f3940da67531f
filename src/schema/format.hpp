#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A value of the keyword `format` that can be validated.
struct text_format {
    std::string_view name;
    std::string_view description;  ///< continues "must be"
    bool (*accepts)(std::string_view text);
};

/// Returns the format `name`, which is never destroyed, or null if the format cannot be validated.
[[nodiscard]] const text_format* find_format(std::string_view name) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
