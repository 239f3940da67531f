#pragma once
#include <pyaichat/core/json.hpp>

#include "schema/schema_program.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Where a value is, as a chain on the stack of those who look at it: a pointer is written only when there is something to say.
struct value_path {
    const value_path* parent = nullptr;
    std::string_view name = {};  ///< of a member
    std::size_t index = 0;       ///< of an element, when there is no name
    bool in_array = false;
};

/// The JSON Pointer. Names longer than 200 bytes are cut: the pointer is for a reader.
[[nodiscard]] std::string pointer_to(const value_path& path);

/// The texts of errors: what to do, in a line, never longer than some 500 bytes whatever the schema and the value hold.
[[nodiscard]] std::string in_short(const json& value);
[[nodiscard]] std::string in_quotes(std::string_view text);
[[nodiscard]] std::string must_have_type(type_set types, const json& found);
[[nodiscard]] std::string must_be_one_of(const json& choices, const json& found);
[[nodiscard]] std::string must_count(bool too_few, std::uint64_t limit, std::uint64_t found, std::string_view one, std::string_view many);
[[nodiscard]] std::string must_not_have(std::string_view name, const std::vector<named_node>& properties);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
