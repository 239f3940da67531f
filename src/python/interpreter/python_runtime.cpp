#include "python/interpreter/python_runtime.hpp"

#include "python/interpreter/audit_guard.hpp"
#include "python/interpreter/bootstrap_source.hpp"
#include "python/interpreter/error_printer.hpp"
#include "python/interpreter/secrets.hpp"

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

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

/// Decodes a text of the command line or the environment as Python does.
ref to_python_path(const std::string& text) {
    return ref::steal(PyUnicode_DecodeFSDefaultAndSize(text.data(), static_cast<Py_ssize_t>(text.size())));
}

ref to_python_list(const std::vector<std::string>& texts) {
    ref list = ref::steal(PyList_New(0));
    for (const std::string& text : texts) {
        const ref item = to_python_path(text);
        if (!list || !item || PyList_Append(list.get(), item.get()) != 0) {
            return {};
        }
    }
    return list;
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
    if (!install_audit_hook()) {
        return PyStatus_NoMemory();
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

result<void> python_runtime::start(const interpreter_options& options, const stream_ends& ends) {
    if (const PyStatus status = initialize(options); PyStatus_Exception(status) != 0) {
        return start_failure(status.err_msg != nullptr ? status.err_msg : "an unknown error");
    }
    result<void> loaded = load(std::string(own_source) + (options.standard_streams ? standard_streams_source : ""), ends);
    if (loaded && !options.keep_secrets) {
        remove_secrets_from_python();
    }
    if (loaded && !prepare(options)) {
        return start_failure(take_error_text());
    }
    return loaded;
}

bool python_runtime::prepare(const interpreter_options& options) const {
    const ref arguments = to_python_list(options.arguments);
    const ref folders = to_python_list(options.import_folders);
    const ref environment = to_python_path(options.virtual_environment);
    return arguments && folders && environment && call("prepare", arguments.get(), folders.get(), environment.get());
}

result<void> python_runtime::adopt(const stream_ends& ends) {
    return load(adopted_source, ends);
}

result<void> python_runtime::load(const std::string& source, const stream_ends& ends) {
    PyObject* builtins = PyImport_AddModule("builtins");  // borrowed; the frame that calls may have others
    builtins_ = builtins != nullptr ? ref::share(PyModule_GetDict(builtins)) : ref();
    module_ = ref::steal(PyModule_New("pyaichat_session"));
    const bool ready = builtins_ && module_ && add_stream_functions(module_.get(), ends) && add_untraced_functions(module_.get()) &&
                       add_error_printer(module_.get()) && PyModule_AddObjectRef(module_.get(), "__builtins__", builtins_.get()) == 0;
    const ref code = ready ? ref::steal(Py_CompileString((common_source + source).c_str(), own_file_name, Py_file_input)) : ref();
    PyObject* names = code ? PyModule_GetDict(module_.get()) : nullptr;
    const ref evaluated = code ? ref::steal(PyEval_EvalCode(code.get(), names, names)) : ref();
    return evaluated ? result<void>() : start_failure(take_error_text());
}

void python_runtime::release() noexcept {
    module_ = ref();
    builtins_ = ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
