#pragma once
/// The service's request messages as tables of members and types (wire document, sections 2 to 7).
#include <pyaichat/config/config.hpp>

#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The type of a member.
enum class gemini_kind : unsigned char {
    text,
    boolean,
    number,
    int32,
    int64,  ///< a number, or a string of digits
    bytes,
    any,          ///< free-form
    structure,    ///< a free-form object
    enumeration,  ///< `type_name` is the enumeration
    message,      ///< `type_name` is the message
};

struct gemini_field {
    std::string_view name = {};  ///< camelCase
    gemini_kind type = gemini_kind::text;
    std::string_view type_name = {};
    bool repeated = false;
    bool map = false;
};

using gemini_fields = std::vector<gemini_field>;

/// The members of the message `name`, which must be in the table: `Part`.
[[nodiscard]] const gemini_fields& gemini_message(std::string_view name);

/// The values of the enumeration `name`, which must be in the table: `Type`.
[[nodiscard]] const std::vector<std::string_view>& gemini_enumeration(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
