#pragma once
#include <pyaichat/core/json.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// How two values differ: in how many places, and what the first one is.
struct cassette_difference {
    std::size_t count = 0;
    std::string place = {};     ///< JSON Pointer, empty for the whole
    std::string recorded = {};  ///< as text, shortened; "nothing" where there is none
    std::string sent = {};
};

[[nodiscard]] cassette_difference compare_json(const json& recorded, const json& sent);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
