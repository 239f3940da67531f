#pragma once
#include <pyaichat/core/json.hpp>

#include "object_ref.hpp"

namespace bindings {

/// Converts JSON to `None bool int float str list dict`.
[[nodiscard]] py::object to_python(const ai::json& value);

/// Converts such objects to JSON. An integer of more than 64 bits becomes a string of its digits, a NaN or an infinity becomes null.
/// Throws `TypeError` for other objects and `ValueError` for objects that are nested too deep.
[[nodiscard]] ai::json from_python(py::handle value);

/// The UTF-8 form of a `str`. Lone surrogates become `?`.
[[nodiscard]] std::string text_of(py::handle text);

/// Text of the SDK as `str`. Invalid UTF-8 becomes U+FFFD.
[[nodiscard]] py::str to_str(std::string_view text);

}  // namespace bindings
