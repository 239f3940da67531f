#pragma once
/// The service's request messages as tables: which members each has, and what they hold (wire document, sections 2 to 7).
#include <pyaichat/config/config.hpp>

#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What a member holds.
enum class gemini_kind : unsigned char {
    text,
    boolean,
    number,
    int32,
    int64,  ///< a number, or a string of digits
    bytes,
    any,          ///< free-form
    structure,    ///< a free-form object
    enumeration,  ///< `of` names the list of words
    message,      ///< `of` names the message
};

/// One member of a message, under its camelCase name.
struct gemini_field {
    std::string_view name = {};
    gemini_kind type = gemini_kind::text;
    std::string_view of = {};
    bool repeated = false;
    bool map = false;
};

using gemini_fields = std::vector<gemini_field>;

/// The members of a message that the tables know, by its name: `Part`.
[[nodiscard]] const gemini_fields& gemini_message(std::string_view name);

/// The words of an enumeration that the tables know, by its name: `Type`.
[[nodiscard]] const std::vector<std::string_view>& gemini_enumeration(std::string_view name);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
