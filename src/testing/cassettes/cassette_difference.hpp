#pragma once
#include <pyaichat/core/json.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// The number of differences between two values, and the first difference.
struct cassette_difference {
    std::size_t count = 0;
    std::string place = {};     ///< JSON Pointer, empty for the whole
    std::string recorded = {};  ///< JSON text, shortened; "nothing" if the value is missing
    std::string sent = {};
};

[[nodiscard]] cassette_difference compare_json(const json& recorded, const json& sent);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
