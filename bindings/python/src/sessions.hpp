#pragma once
#include <pyaichat/python/attach.hpp>
#include <pyaichat/python/session.hpp>

#include "object_ref.hpp"

namespace bindings {

/// Registers `Session`: a look at a loaded module of this interpreter.
void add_sessions(py::module_& module);

}  // namespace bindings
