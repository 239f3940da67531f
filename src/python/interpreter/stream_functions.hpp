#pragma once
#include "python/interpreter/input_port.hpp"
#include "python/interpreter/output_capture.hpp"
#include "python/python_api.hpp"

#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Where the stream objects of Python end.
struct stream_ends {
    std::shared_ptr<output_switch> output = std::make_shared<output_switch>();
    std::shared_ptr<input_port> input = std::make_shared<input_port>();
};

/// Adds the functions on which the stream objects of the bootstrap code are built to its module. They share the ownership of the ends,
/// because streams that code has stored may outlive the interpreter's handle. Returns false with a Python error set if it fails.
///
/// - `emit(stream, text)` writes to the output (0: `sys.stdout`, 1: `sys.stderr`) and returns the length of the text.
/// - `read_line(prompt)` reads a line with its end from the input; an empty text is the end of the input. Raises EOFError if the code has
///   no input.
[[nodiscard]] bool add_stream_functions(PyObject* module, const stream_ends& ends);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
