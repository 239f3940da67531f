#include "python/python_words.hpp"

#include <algorithm>
#include <array>

namespace repl {

namespace {

constexpr auto keywords = std::to_array<std::string_view>(
    {"False",  "None",     "True", "and",    "as",      "assert", "async",  "await",  "break", "class",  "continue", "def",
     "del",    "elif",     "else", "except", "finally", "for",    "from",   "global", "if",    "import", "in",       "is",
     "lambda", "nonlocal", "not",  "or",     "pass",    "raise",  "return", "try",    "while", "with",   "yield"});

constexpr auto block_keywords =
    std::to_array<std::string_view>({"class", "def", "elif", "else", "except", "finally", "for", "if", "try", "while", "with"});

constexpr auto builtins = std::to_array<std::string_view>({"ArithmeticError",
                                                           "AssertionError",
                                                           "AttributeError",
                                                           "BaseException",
                                                           "BaseExceptionGroup",
                                                           "BlockingIOError",
                                                           "BrokenPipeError",
                                                           "BufferError",
                                                           "BytesWarning",
                                                           "ChildProcessError",
                                                           "ConnectionAbortedError",
                                                           "ConnectionError",
                                                           "ConnectionRefusedError",
                                                           "ConnectionResetError",
                                                           "DeprecationWarning",
                                                           "EOFError",
                                                           "Ellipsis",
                                                           "EncodingWarning",
                                                           "EnvironmentError",
                                                           "Exception",
                                                           "ExceptionGroup",
                                                           "FileExistsError",
                                                           "FileNotFoundError",
                                                           "FloatingPointError",
                                                           "FutureWarning",
                                                           "GeneratorExit",
                                                           "IOError",
                                                           "ImportError",
                                                           "ImportWarning",
                                                           "IndentationError",
                                                           "IndexError",
                                                           "InterruptedError",
                                                           "IsADirectoryError",
                                                           "KeyError",
                                                           "KeyboardInterrupt",
                                                           "LookupError",
                                                           "MemoryError",
                                                           "ModuleNotFoundError",
                                                           "NameError",
                                                           "NotADirectoryError",
                                                           "NotImplemented",
                                                           "NotImplementedError",
                                                           "OSError",
                                                           "OverflowError",
                                                           "PendingDeprecationWarning",
                                                           "PermissionError",
                                                           "ProcessLookupError",
                                                           "RecursionError",
                                                           "ReferenceError",
                                                           "ResourceWarning",
                                                           "RuntimeError",
                                                           "RuntimeWarning",
                                                           "StopAsyncIteration",
                                                           "StopIteration",
                                                           "SyntaxError",
                                                           "SyntaxWarning",
                                                           "SystemError",
                                                           "SystemExit",
                                                           "TabError",
                                                           "TimeoutError",
                                                           "TypeError",
                                                           "UnboundLocalError",
                                                           "UnicodeDecodeError",
                                                           "UnicodeEncodeError",
                                                           "UnicodeError",
                                                           "UnicodeTranslateError",
                                                           "UnicodeWarning",
                                                           "UserWarning",
                                                           "ValueError",
                                                           "Warning",
                                                           "ZeroDivisionError",
                                                           "__build_class__",
                                                           "__debug__",
                                                           "__import__",
                                                           "abs",
                                                           "aiter",
                                                           "all",
                                                           "anext",
                                                           "any",
                                                           "ascii",
                                                           "bin",
                                                           "bool",
                                                           "breakpoint",
                                                           "bytearray",
                                                           "bytes",
                                                           "callable",
                                                           "chr",
                                                           "classmethod",
                                                           "compile",
                                                           "complex",
                                                           "copyright",
                                                           "credits",
                                                           "delattr",
                                                           "dict",
                                                           "dir",
                                                           "divmod",
                                                           "enumerate",
                                                           "eval",
                                                           "exec",
                                                           "exit",
                                                           "filter",
                                                           "float",
                                                           "format",
                                                           "frozenset",
                                                           "getattr",
                                                           "globals",
                                                           "hasattr",
                                                           "hash",
                                                           "help",
                                                           "hex",
                                                           "id",
                                                           "input",
                                                           "int",
                                                           "isinstance",
                                                           "issubclass",
                                                           "iter",
                                                           "len",
                                                           "license",
                                                           "list",
                                                           "locals",
                                                           "map",
                                                           "max",
                                                           "memoryview",
                                                           "min",
                                                           "next",
                                                           "object",
                                                           "oct",
                                                           "open",
                                                           "ord",
                                                           "pow",
                                                           "print",
                                                           "property",
                                                           "quit",
                                                           "range",
                                                           "repr",
                                                           "reversed",
                                                           "round",
                                                           "set",
                                                           "setattr",
                                                           "slice",
                                                           "sorted",
                                                           "staticmethod",
                                                           "str",
                                                           "sum",
                                                           "super",
                                                           "tuple",
                                                           "type",
                                                           "vars",
                                                           "zip"});

static_assert(std::ranges::is_sorted(keywords) && std::ranges::is_sorted(block_keywords) && std::ranges::is_sorted(builtins));

}  // namespace

std::span<const std::string_view> python_keywords() noexcept {
    return keywords;
}

bool is_keyword(std::string_view name) noexcept {
    return std::ranges::binary_search(keywords, name);
}

bool is_builtin(std::string_view name) noexcept {
    return std::ranges::binary_search(builtins, name);
}

bool is_block_keyword(std::string_view name) noexcept {
    return std::ranges::binary_search(block_keywords, name);
}

}  // namespace repl
