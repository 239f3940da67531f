#include "python/python_runtime.hpp"

#include "python/bootstrap.hpp"
#include "python/output_capture.hpp"

#include <cstdio>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// `emit(stream, text)`: writes text of `sys.stdout` and `sys.stderr` to the sink. Releases the GIL, because the host's observer may block.
PyObject* emit(PyObject* self, PyObject* arguments) {
    int stream = 0;
    PyObject* text = nullptr;
    if (PyArg_ParseTuple(arguments, "iU", &stream, &text) == 0) {
        return nullptr;
    }
    auto* target = static_cast<output_switch*>(PyCapsule_GetPointer(self, nullptr));
    if (target == nullptr) {
        return nullptr;
    }
    const std::string written = to_utf8(text);
    PyThreadState* state = PyEval_SaveThread();
    const bool ok = guarded(
        [&] {
            target->write(stream == 0 ? output_stream::out : output_stream::err, written);
            return true;
        },
        [](std::string_view) { return false; });
    PyEval_RestoreThread(state);
    if (!ok) {
        PyErr_SetString(PyExc_RuntimeError, "the host could not handle the output");
        return nullptr;
    }
    Py_RETURN_NONE;
}

PyMethodDef emit_definition = {"emit", &emit, METH_VARARGS, nullptr};

failure start_failure(std::string what) {
    return failure{.code = errc::internal,
                   .message = "Python cannot start: " + std::move(what),
                   .hint = "Check that the Python that the host was built with is still installed: " PYAICHAT_PYTHON_PROGRAM "."};
}

/// Clears the current Python error and returns its text.
std::string take_error_text() {
    const ref error = take_exception();
    const ref text = error ? ref::steal(PyObject_Str(error.get())) : ref();
    PyErr_Clear();
    return text ? to_utf8(text.get()) : "an unknown error";
}

PyStatus initialize(const interpreter_options& options) {
    PyPreConfig preconfig;
    options.isolated ? PyPreConfig_InitIsolatedConfig(&preconfig) : PyPreConfig_InitPythonConfig(&preconfig);
    preconfig.configure_locale = 0;  // the locale belongs to the host
    preconfig.coerce_c_locale = 0;
    preconfig.utf8_mode = 1;
    if (const PyStatus status = Py_PreInitialize(&preconfig); PyStatus_Exception(status) != 0) {
        return status;
    }
    PyConfig config;
    options.isolated ? PyConfig_InitIsolatedConfig(&config) : PyConfig_InitPythonConfig(&config);
    config.install_signal_handlers = 0;
    config.parse_argv = 0;
    config.configure_c_stdio = 0;
    PyStatus status = PyConfig_SetBytesString(&config, &config.program_name, PYAICHAT_PYTHON_PROGRAM);
    if (PyStatus_Exception(status) == 0) {
        status = Py_InitializeFromConfig(&config);
    }
    PyConfig_Clear(&config);
    return status;
}

}  // namespace

result<void> python_runtime::start(const interpreter_options& options, output_switch& output) {
    if (const PyStatus status = initialize(options); PyStatus_Exception(status) != 0) {
        return start_failure(status.err_msg != nullptr ? status.err_msg : "an unknown error");
    }
    char version[32];
    std::snprintf(version, sizeof version, "%d.%d.%d", static_cast<int>(Py_Version >> 24), static_cast<int>(Py_Version >> 16 & 0xFF),
                  static_cast<int>(Py_Version >> 8 & 0xFF));
    version_ = version;
    builtins_ = ref::share(PyEval_GetBuiltins());

    module_ = ref::steal(PyModule_New("pyaichat_session"));
    const ref capsule = ref::steal(PyCapsule_New(&output, nullptr, nullptr));
    const ref emitter = capsule ? ref::steal(PyCFunction_New(&emit_definition, capsule.get())) : ref();
    if (!module_ || !emitter || PyModule_AddObjectRef(module_.get(), "emit", emitter.get()) != 0 ||
        PyModule_AddObjectRef(module_.get(), "__builtins__", builtins_.get()) != 0) {
        return start_failure(take_error_text());
    }
    const ref code = ref::steal(Py_CompileString(bootstrap_source, own_file_name, Py_file_input));
    PyObject* names = PyModule_GetDict(module_.get());
    const ref evaluated = code ? ref::steal(PyEval_EvalCode(code.get(), names, names)) : ref();
    if (!evaluated) {
        return start_failure(take_error_text());
    }
    return {};
}

void python_runtime::release() noexcept {
    module_ = ref();
    builtins_ = ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
