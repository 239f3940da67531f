#pragma once
#include <pyaichat/config/config.hpp>

#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The text of src/provider/prices.json.
extern const std::string_view built_in_prices;

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
