#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// One value of the keyword `format` that can be checked.
struct text_format {
    std::string_view name;
    std::string_view description;  ///< goes on from "must be"
    bool (*accepts)(std::string_view text);
};

/// The format of that name, or null when it is not one of those that are checked. Lives as long as the process.
[[nodiscard]] const text_format* find_format(std::string_view name) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
