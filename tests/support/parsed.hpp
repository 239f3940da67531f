#pragma once
#include <pyaichat/core/json.hpp>

#include "catch.hpp"

#include <string_view>
#include <utility>

namespace support {

/// The value of a text that the test knows to be JSON.
inline pyaichat::json parsed(std::string_view text, std::size_t depth = pyaichat::max_json_depth) {
    pyaichat::result<pyaichat::json> value = pyaichat::parse_json(text, depth);
    INFO(text);
    REQUIRE(value);
    return *std::move(value);  // a copy would recurse
}

}  // namespace support
