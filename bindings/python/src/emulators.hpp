#pragma once
#include "object_ref.hpp"

namespace bindings {

/// Registers `GeminiEmulator`.
void add_emulators(py::module_& module);

}  // namespace bindings
