#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The SDK's own Python code, run once in a module that already has `emit(stream, text)`. It does what is much shorter in Python than in C:
/// stream objects, compiling entries at a prompt, formatting tracebacks.
inline constexpr const char* bootstrap_source = R"py(
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
        self._bytes = Bytes(self)

    @property
    def buffer(self):
        return self._bytes

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


def display(value):
    if value is None:
        return
    text = repr(value)
    sys.stdout.write(text)
    sys.stdout.write("\n")
    sys.modules["__main__"].__dict__["_"] = value


def new_session():
    main = types.ModuleType("__main__")
    main.__builtins__ = builtins
    return main, codeop.CommandCompiler()


def activate(main):
    sys.modules["__main__"] = main


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
    error = None
    try:
        code = compiler(source, file, "single")
    except Exception:
        try:
            # Several pasted statements: the compiler for single entries rejects them.
            tree = compile_builtin(source, file, "exec", ast.PyCF_ONLY_AST, True)
            code = compile_builtin(ast.Interactive(tree.body), file, "single", 0, True)
        except Exception as failed:
            error = failed
    if error is not None:
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


sys.stdin = Input()
sys.stdout = Output("<stdout>", 0)
sys.stderr = Output("<stderr>", 1)
sys.displayhook = display
)py";

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
