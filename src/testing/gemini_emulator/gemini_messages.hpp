#pragma once
/// The service's request messages as tables of members and types (wire document, sections 2 to 7).
#include <pyaichat/config/config.hpp>

#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct gemini_field {
    std::string_view name = {};  ///< camelCase
    /// A message or an enumeration of the tables, or `string`, `bool`, `double`, `int32`, `int64`, `bytes`, `struct` (a free-form object)
    /// or `any`.
    std::string_view type = "string";
    bool repeated = false;
    bool map = false;
};

using gemini_fields = std::vector<gemini_field>;

/// The fields of a message such as `Part`, or null if `name` is not a message.
[[nodiscard]] const gemini_fields* gemini_message(std::string_view name);

/// The values of an enumeration such as `Type`, or null if `name` is not an enumeration.
[[nodiscard]] const std::vector<std::string_view>* gemini_enumeration(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
