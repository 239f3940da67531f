#pragma once
#include <pyaichat/core/json.hpp>

#include "schema/schema_program.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The location of a value, as a linked list on the stack. It is converted to a JSON Pointer only for an error.
struct value_path {
    const value_path* parent = nullptr;
    std::string_view name = {};  ///< the name of a member
    std::size_t index = 0;       ///< the index of an element
    bool in_array = false;
};

/// Converts a path to a JSON Pointer. Names longer than 200 bytes are cut.
[[nodiscard]] std::string pointer_to(const value_path& path);

/// Error messages: one line that tells what to do, at most about 500 bytes.
[[nodiscard]] std::string in_short(const json& value);
[[nodiscard]] std::string in_quotes(std::string_view text);
[[nodiscard]] std::string must_have_type(type_set types, const json& found);
[[nodiscard]] std::string must_be_one_of(const json& choices, const json& found);
[[nodiscard]] std::string must_have(std::string_view bound, std::uint64_t limit, std::string_view noun);
[[nodiscard]] std::string must_not_have(std::string_view name, const std::vector<named_node>& properties);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
