#pragma once
#include "python/python_api.hpp"

#include <pyaichat/core/result.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

class output_switch;

/// The file name of this room's own Python code; its frames are left out of tracebacks.
inline constexpr const char* own_file_name = "<pyaichat>";

/// What this room uses of a running Python: a few functions of its own. Everything here belongs to Python's thread.
class python_runtime {
public:
    /// Initialises Python on the calling thread, which becomes its main thread, and leads its output to `output` (which outlives it).
    [[nodiscard]] result<void> start(const interpreter_options& options, output_switch& output);
    /// Lets go of all objects. Before Python ends.
    void release() noexcept;

    [[nodiscard]] const std::string& version() const noexcept { return version_; }

    /// Calls one of the functions of the bootstrap code; null with an error set.
    template <class... Objects>
    [[nodiscard]] ref call(const char* function, Objects... arguments) const {
        const ref callee = ref::steal(PyObject_GetAttrString(module_.get(), function));
        return callee ? ref::steal(PyObject_CallFunctionObjArgs(callee.get(), arguments..., nullptr)) : ref();
    }

    /// The names that every namespace sees.
    [[nodiscard]] PyObject* builtins() const noexcept { return builtins_.get(); }

private:
    ref module_;
    ref builtins_;
    std::string version_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
