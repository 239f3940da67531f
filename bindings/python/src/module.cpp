#include <pyaichat/config/version.hpp>

#include "emulators.hpp"
#include "gil.hpp"
#include "lua_source.hpp"
#include "messages.hpp"
#include "providers.hpp"
#include "runs.hpp"
#include "sessions.hpp"
#include "shell_source.hpp"
#include "sources.hpp"

/// The compiled part of the package `pyaichat`. What a person uses is in its Python files.
PYBIND11_MODULE(_native, module) {
    module.attr("version") = PYAICHAT_VERSION_STRING;
    pybind11::module_::import("atexit").attr("register")(pybind11::cpp_function(&pyaichat::python::detail::python_end_is_near));
    bindings::add_messages(module);
    bindings::add_providers(module);
    bindings::add_sources(module);
    bindings::add_sessions(module);
    bindings::add_runs(module);
#ifdef PYAICHAT_BINDINGS_SHELL
    bindings::add_shell_source(module);
#endif
#ifdef PYAICHAT_BINDINGS_LUA
    bindings::add_lua_source(module);
#endif
#ifdef PYAICHAT_BINDINGS_TESTING
    bindings::add_emulators(module);
#endif
}
