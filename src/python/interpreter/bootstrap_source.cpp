#include "python/interpreter/bootstrap_source.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

const char* const common_source = R"py(
import ast, builtins, codecs, codeop, functools, io, linecache, sys, traceback, types

OWN_FILE = "<pyaichat>"
KEPT_SOURCES = 1000
sources = []
compile_builtin = builtins.compile
# Flags that let a compiler find out whether an entry is complete.
ONLY_FOR_ENTRIES = codeop.PyCF_DONT_IMPLY_DEDENT | codeop.PyCF_ALLOW_INCOMPLETE_INPUT
SUGGESTION = ". Did you mean: '"
loop_runner = None


class Bytes(io.RawIOBase):
    mode = "wb"

    def __init__(self, stream):
        self._stream = stream
        self.name = stream.name
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def writable(self):
        return True

    def write(self, data):
        data = bytes(data)
        self._stream.write(self._decoder.decode(data))
        return len(data)

    def fileno(self):
        return self._stream.fileno()

    def isatty(self):
        return self._stream.isatty()


class Output(io.TextIOBase):
    encoding = "utf-8"
    errors = "backslashreplace"
    mode = "w"
    line_buffering = True
    write_through = True

    def __init__(self, name, number):
        self.name = name
        # No Python function, so that a debugger does not step into it.
        self.write = functools.partial(emit, number)
        self.buffer = Bytes(self)

    def writable(self):
        return True

    def reconfigure(self, *, encoding=None, errors=None, newline=None, line_buffering=None, write_through=None):
        if encoding is not None and codecs.lookup(encoding).name != "utf-8":
            raise io.UnsupportedOperation("the encoding of this stream is UTF-8")
        if errors is not None:
            self.errors = errors


class InputBytes(io.RawIOBase):
    mode = "rb"

    def __init__(self, stream):
        self._stream = stream
        self.name = stream.name

    def readable(self):
        return True

    def readinto(self, into):
        data = self._stream.take_bytes(len(into))
        into[:len(data)] = data
        return len(data)

    def fileno(self):
        return self._stream.fileno()

    def isatty(self):
        return self._stream.isatty()


class Input(io.TextIOBase):
    encoding = "utf-8"
    errors = "surrogateescape"
    mode = "r"
    name = "<stdin>"

    def __init__(self):
        self._text = ""
        self._bytes = b""
        self.buffer = io.BufferedReader(InputBytes(self))

    def readable(self):
        return True

    def close(self):
        pass  # exit() closes sys.stdin, but this one belongs to the session

    def take_line(self, prompt=""):
        text, self._text = self._text, ""
        return text or read_line(prompt)

    def take_bytes(self, size):
        data = self._bytes or self.take_line().encode(self.encoding, self.errors)
        self._bytes = data[size:]
        return data[:size]

    def readline(self, size=-1):
        line = self.take_line() if size != 0 else ""
        if size is not None and 0 <= size < len(line):
            line, self._text = line[:size], line[size:]
        return line

    def read(self, size=-1):
        parts, left = [], -1 if size is None else size
        while left != 0:
            part = self.readline(left)
            if not part:
                break
            parts.append(part)
            left -= len(part) if left > 0 else 0
        return "".join(parts)


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


def compile_entry(compiler, source, file, awaits):
    if awaits:
        compiler.compiler.flags |= ast.PyCF_ALLOW_TOP_LEVEL_AWAIT
    try:
        code = compiler(source, file, "single")
    except Exception:
        try:
            # Several statements: the compiler for single ones rejects them.
            code = compiler(source, file, "exec")
            if code is not None:
                flags = compiler.compiler.flags & ~ONLY_FOR_ENTRIES
                tree = compile_builtin(source + "\n", file, "exec", flags | ast.PyCF_ONLY_AST, True)
                code = compile_builtin(ast.Interactive(tree.body), file, "single", flags, True)
        except Exception as error:
            raise error.with_traceback(None) from None
    if code is not None:
        remember(source, file)
    return code


def run_awaiting(coroutine):
    global loop_runner
    import asyncio, atexit
    if loop_runner is None:
        loop_runner = asyncio.Runner()
        atexit.register(loop_runner.close)
    try:
        return loop_runner.run(coroutine)
    except BaseException as error:
        entry = error.__traceback__
        while entry is not None and entry.tb_frame.f_code is not coroutine.cr_code:
            entry = entry.tb_next
        error.__traceback__ = entry
        if isinstance(error, KeyboardInterrupt):
            error.__context__ = None  # how the loop has cancelled its task
        raise


def is_own(entry):
    return entry.tb_frame.f_code.co_filename == OWN_FILE


def remove_own_frames(error):
    pending, seen = [error], set()
    while pending:
        each = pending.pop()
        if each is None or id(each) in seen:
            continue
        seen.add(id(each))
        entry = each.__traceback__
        while entry is not None and is_own(entry):
            entry = entry.tb_next
        each.__traceback__ = entry
        while entry is not None and entry.tb_next is not None:
            if is_own(entry.tb_next):
                entry.tb_next = entry.tb_next.tb_next
            else:
                entry = entry.tb_next
        pending += [each.__cause__, each.__context__]
        if isinstance(each, BaseExceptionGroup):
            pending += each.exceptions


def add_suggestions(error, report, seen):
    if error is None or report is None or id(error) in seen or len(seen) > 20:
        return
    seen.add(id(error))
    if isinstance(error, (NameError, AttributeError)) and type(getattr(report, "_str", None)) is str:
        printed = io.StringIO()
        print_error(printed, error)
        for line in reversed(printed.getvalue().splitlines()):
            if SUGGESTION in line and line.endswith("'?"):
                suggestion = line[line.rindex(SUGGESTION):]
                report._str += "" if report._str.endswith(suggestion) else suggestion
                break
    add_suggestions(error.__cause__, report.__cause__, seen)
    add_suggestions(error.__context__, report.__context__, seen)


def format_exception(error):
    remove_own_frames(error)
    report = traceback.TracebackException.from_exception(error)
    if "print_error" in globals():
        add_suggestions(error, report, set())
    text = "".join(report.format())
    header = "Traceback (most recent call last):\n"
    return text[len(header):] if not report.stack and text.startswith(header) else text


def handle_uncaught(error):
    remove_own_frames(error)
    sys.last_type, sys.last_value, sys.last_traceback = type(error), error, error.__traceback__
    if sys.version_info >= (3, 12):
        sys.last_exc = error
    hook = getattr(sys, "excepthook", sys.__excepthook__)
    if hook is sys.__excepthook__:
        return False
    try:
        hook(type(error), error, error.__traceback__)
    except SystemExit:
        raise
    except BaseException as second:
        sys.stderr.write("Error in sys.excepthook:\n" + format_exception(second))
        sys.stderr.write("\nOriginal exception was:\n" + format_exception(error))
    return True


def source_line(file, line):
    return linecache.getline(file, line).strip()
)py";

const char* const own_source = R"py(
FIRST_MAIN = sys.modules["__main__"]
KEPT_VALUES = 100
numbering = False
values_shown = 0


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


def show_value(value, text):
    global values_shown
    sys.stdout.write(text + "\n")
    if not numbering:
        sys.modules["__main__"].__dict__["_"] = value
        return
    # As in Python, a variable of the same name hides them.
    names = builtins.__dict__
    for older, newer in ("___", "__"), ("__", "_"):
        if newer in names:
            names[older] = names[newer]
    values_shown += 1
    names["_"] = names[f"_{values_shown}"] = value
    names.pop(f"_{values_shown - KEPT_VALUES}", None)


def begin_run(process_input, numbered):
    global numbering
    numbering = numbered
    choose_input(process_input)


def enter_environment(folder):
    import os, site
    places = [os.path.basename(each) for each in sys.path]
    if "lib-dynload" not in places:
        return
    # What follows the standard library is of the packages of another prefix.
    del sys.path[len(places) - places[::-1].index("lib-dynload"):]
    sys.executable = os.path.join(folder, "bin", "python")
    site.PREFIXES[:] = [sys.prefix, sys.exec_prefix]
    site.ENABLE_USER_SITE = None
    site.main()


def prepare(arguments, folders, environment):
    if arguments:
        sys.argv = arguments
    if sys.flags.isolated:
        return
    if environment:
        enter_environment(environment)
    if not sys.flags.safe_path:
        sys.path[:0] = folders


def choose_input(process):
    pass


sys.stdin = Input()
sys.stdout = Output("<stdout>", 0)
sys.stderr = Output("<stderr>", 1)
sys.displayhook = display_with(show_value)
)py";

const char* const standard_streams_source = R"py(
import _sitebuiltins, os

OWN_INPUT = sys.stdin
HOST_INPUT = sys.__stdin__
builtin_input = builtins.input


class StandardBytes(Bytes):
    def __init__(self, stream, descriptor):
        super().__init__(stream)
        self._descriptor = descriptor
        self._decoder = codecs.getincrementaldecoder("utf-8")()

    def write(self, data):
        data = bytes(data)
        waiting = self._decoder.getstate()[0]
        try:
            text = self._decoder.decode(data)
        except UnicodeDecodeError:
            self._decoder.reset()
            left = memoryview(waiting + data)
            while left:
                left = left[os.write(self._descriptor, left):]
        else:
            self._stream.write(text)
        return len(data)


class StandardOutput(Output):
    def __init__(self, name, number):
        super().__init__(name, number)
        self._descriptor = number + 1
        self.buffer = StandardBytes(self, self._descriptor)

    def fileno(self):
        return self._descriptor

    def isatty(self):
        return os.isatty(self._descriptor)


class StandardInput(Input):
    def fileno(self):
        return 0

    def isatty(self):
        return os.isatty(0)


class Help(_sitebuiltins._Helper):
    def __call__(self, *arguments, **more):
        import pydoc
        pydoc.pager = pydoc.plainpager  # the terminal belongs to the program, so no other program takes it
        return super().__call__(*arguments, **more)


def input(prompt="", /):
    """Read a line from standard input, without its line end. The prompt is shown first. Raises EOFError at the end of the input."""
    if type(sys.stdin) is not StandardInput or type(sys.stdout) is not StandardOutput:
        return builtin_input(prompt)
    sys.audit("builtins.input", prompt)
    line = sys.stdin.take_line(str(prompt))
    if not line:
        raise EOFError("EOF when reading a line")
    line = line.removesuffix("\n")
    sys.audit("builtins.input/result", line)
    return line


def choose_input(process):
    if sys.stdin is (OWN_INPUT if process else HOST_INPUT) and HOST_INPUT is not None:
        sys.stdin = HOST_INPUT if process else OWN_INPUT


OWN_INPUT = sys.stdin = StandardInput()
sys.stdout = sys.__stdout__ = StandardOutput("<stdout>", 0)
sys.stderr = sys.__stderr__ = StandardOutput("<stderr>", 1)
builtins.input = untraced(input)
if type(getattr(builtins, "help", None)) is _sitebuiltins._Helper:
    builtins.help = Help()
)py";

const char* const adopted_source = R"py(
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


def begin_run(process_input, numbered):
    pass
)py";

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
