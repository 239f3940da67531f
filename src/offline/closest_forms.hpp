#pragma once
#include <pyaichat/config/config.hpp>

#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The text that lists all forms.
[[nodiscard]] std::string all_forms();

/// The text for a question that is not understood: the three forms that have the most words in common with it.
[[nodiscard]] std::string say_not_understood(std::string_view question);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
