#pragma once
#include "python/interpreter/stream_functions.hpp"
#include "python/interpreter/untraced_call.hpp"
#include "python/python_api.hpp"

#include <pyaichat/core/result.hpp>
#include <pyaichat/python/interpreter.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The file name of the SDK's own Python code. Tracebacks omit its frames.
inline constexpr const char* own_file_name = "<pyaichat>";

/// The initialized Python and the functions of the bootstrap code. For Python's thread only.
class python_runtime {
public:
    python_runtime() = default;
    /// Objects that were not released leak: the GIL is not held, and Python may have ended.
    ~python_runtime() {
        static_cast<void>(module_.release());
        static_cast<void>(builtins_.release());
    }
    python_runtime(const python_runtime&) = delete;
    python_runtime& operator=(const python_runtime&) = delete;

    /// Initializes Python on the calling thread, which becomes its main thread. Its streams end in `ends`. Fails with `internal`.
    [[nodiscard]] result<void> start(const interpreter_options& options, const stream_ends& ends);
    /// Uses the Python of the host. Fails with `internal`.
    [[nodiscard]] result<void> adopt(const stream_ends& ends);
    /// Releases all objects. Call it before Python ends.
    void release() noexcept;

    /// Calls a function of the bootstrap code, untraced. Null with a Python error set if it fails.
    template <class... Objects>
    [[nodiscard]] ref call(const char* function, Objects... arguments) const {
        const tracing_pause untraced;
        return call_traced(function, arguments...);
    }
    /// The same for a function that runs code of the person.
    template <class... Objects>
    [[nodiscard]] ref call_traced(const char* function, Objects... arguments) const {
        const ref callee = ref::steal(PyObject_GetAttrString(module_.get(), function));
        return callee ? ref::steal(PyObject_CallFunctionObjArgs(callee.get(), arguments..., nullptr)) : ref();
    }

    /// The names of the bootstrap code, a dict. Borrowed.
    [[nodiscard]] PyObject* names() const noexcept { return PyModule_GetDict(module_.get()); }

    /// The built-in names that every namespace sees, a dict. Borrowed.
    [[nodiscard]] PyObject* builtins() const noexcept { return builtins_.get(); }

private:
    [[nodiscard]] result<void> load(const std::string& source, const stream_ends& ends);
    /// Sets what the options say about arguments and imports. Returns false with a Python error set if it fails.
    [[nodiscard]] bool prepare(const interpreter_options& options) const;

    ref module_;
    ref builtins_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
