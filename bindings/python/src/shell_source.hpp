#pragma once
#include "object_ref.hpp"

namespace bindings {

/// Registers `Shell`, a source that runs commands.
void add_shell_source(py::module_& module);

}  // namespace bindings
