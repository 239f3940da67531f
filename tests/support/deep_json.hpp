#pragma once
#include <pyaichat/core/json.hpp>

#include <utility>

namespace bench {

/// An object in an object in an object. Deeper than a copy of it, which recurses, could be.
inline pyaichat::json nested_objects(int levels = 50'000) {
    pyaichat::json value = pyaichat::json::object();
    for (int i = 0; i < levels; ++i) {
        pyaichat::json outer = pyaichat::json::object();
        outer["x"] = std::move(value);
        value = std::move(outer);
    }
    return value;
}

}  // namespace bench
