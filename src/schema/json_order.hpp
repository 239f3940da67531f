#pragma once
#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Compares two values in a total order with the equality of JSON Schema: 1 equals 1.0, but false does not equal 0. (The comparison of
/// nlohmann rounds large integers.) Returns a negative number, 0 or a positive number. Adds its work to `work`: the number of compared
/// values, and of compared blocks of 64 bytes of text.
[[nodiscard]] int compare_json(const json& left, const json& right, std::uint64_t& work) noexcept;

/// Returns pointers to the elements of an array, sorted by `compare_json`.
[[nodiscard]] std::vector<const json*> sorted_elements(const json::array_t& elements, std::uint64_t& work);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
