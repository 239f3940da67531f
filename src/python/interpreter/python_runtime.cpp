#include "python/interpreter/python_runtime.hpp"

#include "python/interpreter/audit_guard.hpp"
#include "python/interpreter/output_capture.hpp"
#include "python/interpreter/secrets.hpp"

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// The SDK's own Python code, run once in a module that already has `emit(stream, text)`; `own_source` or `adopted_source` follows it. It
/// does what is much shorter in Python than in C: stream objects, compiling entries at a prompt, formatting tracebacks.
constexpr const char* bootstrap_source = R"py(
import ast, builtins, codeop, io, linecache, sys, traceback, types

OWN_FILE = "<pyaichat>"
KEPT_SOURCES = 1000
sources = []
compile_builtin = builtins.compile


class Bytes(io.RawIOBase):
    def __init__(self, stream):
        self._stream = stream

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self._stream.write(data.decode("utf-8", "replace"))
        return len(data)


class Output(io.TextIOBase):
    encoding = "utf-8"
    errors = "backslashreplace"
    mode = "w"

    def __init__(self, name, number):
        self.name = name
        self._number = number
        self.buffer = Bytes(self)

    def writable(self):
        return True

    def write(self, text):
        if not isinstance(text, str):
            raise TypeError("write() argument must be str, not " + type(text).__name__)
        emit(self._number, text)
        return len(text)


class Input(io.TextIOBase):
    encoding = "utf-8"
    errors = "strict"
    mode = "r"
    name = "<stdin>"

    def readable(self):
        return True

    def read(self, size=-1):
        raise EOFError("this Python session has no standard input")

    readline = read


def show(value, names):
    if value is None:
        return
    text = repr(value)
    sys.stdout.write(text)
    sys.stdout.write("\n")
    names["_"] = value


def new_module(name):
    module = types.ModuleType(name)
    module.__builtins__ = builtins
    return module


def remember(source, file):
    if file.startswith("<"):
        # Lines keep their ends, as in linecache: the marks under the lines of a traceback rely on it.
        linecache.cache[file] = (len(source), None, [line + "\n" for line in source.splitlines()], file)
        sources.append(file)
        if len(sources) > KEPT_SOURCES:
            linecache.cache.pop(sources.pop(0), None)


def compile_source(source, file, mode):
    remember(source, file)
    if mode == "eval":
        source = source.strip()
    return compile_builtin(source, file, mode, 0, True)


def compile_entry(compiler, source, file):
    try:
        code = compiler(source, file, "single")
    except Exception:
        try:
            # Several pasted statements: the compiler for single entries rejects them.
            tree = compile_builtin(source, file, "exec", ast.PyCF_ONLY_AST, True)
            code = compile_builtin(ast.Interactive(tree.body), file, "single", 0, True)
        except Exception as error:
            raise error.with_traceback(None) from None
    if code is not None:
        remember(source, file)
    return code


def format_exception(error):
    report = traceback.TracebackException.from_exception(error)
    pending, seen = [report], set()
    while pending:
        each = pending.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        each.stack[:] = [frame for frame in each.stack if frame.filename != OWN_FILE]
        pending += [each.__cause__, each.__context__]
        pending += getattr(each, "exceptions", None) or []
    text = "".join(report.format())
    header = "Traceback (most recent call last):\n"
    return text[len(header):] if not report.stack and text.startswith(header) else text


def source_line(file, line):
    return linecache.getline(file, line).strip()
)py";

/// The part for an interpreter of the SDK, whose streams and `__main__` are the sessions'.
constexpr const char* own_source = R"py(
FIRST_MAIN = sys.modules["__main__"]


def new_session():
    main = new_module("__main__")
    return main, codeop.CommandCompiler(), main


def open_session(name):
    module = FIRST_MAIN if name == "__main__" else sys.modules[name]
    return module, codeop.CommandCompiler(), FIRST_MAIN


def forget_session(module):
    pass


def activate(main):
    sys.modules["__main__"] = main


def display(value):
    show(value, sys.modules["__main__"].__dict__)


sys.stdin = Input()
sys.stdout = Output("<stdout>", 0)
sys.stderr = Output("<stderr>", 1)
sys.displayhook = display
)py";

/// The part for an adopted interpreter, whose streams and `__main__` are the host's. `owner` is the thread that runs work of the SDK; every
/// other thread reaches the host's own streams through the routed ones.
constexpr const char* adopted_source = R"py(
import itertools
from _thread import get_ident

owner = None
numbers = itertools.count(1)


class Nothing(io.TextIOBase):
    def write(self, text):
        return len(text)


class Routed:
    __slots__ = ("_ours", "_host")

    def __init__(self, ours, host):
        object.__setattr__(self, "_ours", ours)
        object.__setattr__(self, "_host", host)

    def _target(self):
        return self._ours if owner == get_ident() else self._host

    def write(self, text):
        return self._target().write(text)

    def flush(self):
        return self._target().flush()

    def __getattr__(self, name):
        return getattr(self._target(), name)

    def __setattr__(self, name, value):
        setattr(self._target(), name, value)

    def __iter__(self):
        return iter(self._target())

    def __next__(self):
        return next(self._target())

    def __enter__(self):
        return self._target().__enter__()

    def __exit__(self, *details):
        return self._target().__exit__(*details)


class RoutedDisplay:
    def __init__(self, names, host):
        self._names = names
        self._host = host

    def __call__(self, value):
        if owner == get_ident():
            show(value, self._names)
        else:
            self._host(value)


OURS = {"stdin": Input(), "stdout": Output("<stdout>", 0), "stderr": Output("<stderr>", 1)}


def original(host):
    while type(host) is Routed or type(host) is RoutedDisplay:
        host = host._host
    return host


def routed(name, host, module):
    if name == "displayhook":
        return RoutedDisplay(module.__dict__, host if callable(host) else sys.__displayhook__)
    return Routed(OURS[name], Nothing() if host is None else host)


def new_session():
    name = f"pyaichat_session_{next(numbers)}"
    module = sys.modules[name] = new_module(name)
    return module, codeop.CommandCompiler(), None


def open_session(name):
    return sys.modules[name], codeop.CommandCompiler(), None


def forget_session(module):
    for name, each in list(sys.modules.items()):
        if each is module:
            del sys.modules[name]
)py";

constexpr Py_ssize_t max_emitted_chars = 256 * 1024;

/// `emit(stream, text)`: writes text of `sys.stdout` and `sys.stderr` to the sink. Releases the GIL, because the host's observer may block.
PyObject* emit(PyObject* self, PyObject* arguments) {
    int stream = 0;
    PyObject* text = nullptr;
    if (PyArg_ParseTuple(arguments, "iU", &stream, &text) == 0) {
        return nullptr;
    }
    const auto* shared = static_cast<std::shared_ptr<output_switch>*>(PyCapsule_GetPointer(self, nullptr));
    if (shared == nullptr) {
        return nullptr;
    }
    const std::shared_ptr<output_switch> target = *shared;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t begin = 0; begin < length; begin += max_emitted_chars) {
        // In parts, because a long text must not be copied as a whole.
        const ref part =
            length <= max_emitted_chars ? ref::share(text) : ref::steal(PyUnicode_Substring(text, begin, begin + max_emitted_chars));
        if (!part) {
            return nullptr;
        }
        const std::string written = to_utf8(part.get());
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
    }
    Py_RETURN_NONE;
}

/// A capsule that shares the ownership: streams that code has stored may outlive the interpreter's handle.
ref make_output_capsule(const std::shared_ptr<output_switch>& output) {
    auto shared = std::make_unique<std::shared_ptr<output_switch>>(output);
    ref capsule = ref::steal(PyCapsule_New(shared.get(), nullptr, [](PyObject* self) {
        delete static_cast<std::shared_ptr<output_switch>*>(PyCapsule_GetPointer(self, nullptr));
    }));
    if (capsule) {
        [[maybe_unused]] const auto* taken = shared.release();  // the capsule owns it now
    }
    return capsule;
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

result<void> python_runtime::start(const interpreter_options& options, const std::shared_ptr<output_switch>& output) {
    if (const PyStatus status = initialize(options); PyStatus_Exception(status) != 0) {
        return start_failure(status.err_msg != nullptr ? status.err_msg : "an unknown error");
    }
    result<void> loaded = load(own_source, output);
    if (loaded && !options.keep_secrets) {
        remove_secrets_from_python();
    }
    return loaded;
}

result<void> python_runtime::adopt(const std::shared_ptr<output_switch>& output) {
    return load(adopted_source, output);
}

result<void> python_runtime::load(const char* source, const std::shared_ptr<output_switch>& output) {
    PyObject* builtins = PyImport_AddModule("builtins");  // borrowed; the frame that calls may have others
    builtins_ = builtins != nullptr ? ref::share(PyModule_GetDict(builtins)) : ref();
    module_ = ref::steal(PyModule_New("pyaichat_session"));
    const ref capsule = make_output_capsule(output);
    const ref emitter = capsule ? ref::steal(PyCFunction_New(&emit_definition, capsule.get())) : ref();
    const bool ready = builtins_ && module_ && emitter && PyModule_AddObjectRef(module_.get(), "emit", emitter.get()) == 0 &&
                       PyModule_AddObjectRef(module_.get(), "__builtins__", builtins_.get()) == 0;
    const ref code =
        ready ? ref::steal(Py_CompileString((std::string(bootstrap_source) + source).c_str(), own_file_name, Py_file_input)) : ref();
    PyObject* names = code ? PyModule_GetDict(module_.get()) : nullptr;
    const ref evaluated = code ? ref::steal(PyEval_EvalCode(code.get(), names, names)) : ref();
    return evaluated ? result<void>() : start_failure(take_error_text());
}

void python_runtime::release() noexcept {
    module_ = ref();
    builtins_ = ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
