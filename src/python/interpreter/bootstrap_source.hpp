#pragma once
#include <pyaichat/config/config.hpp>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// The SDK's own Python code, run once in a module that already has `emit` and `read_line` (see `add_stream_functions`). It does what is
// much shorter in Python than in C: stream objects, compiling entries at a prompt, formatting tracebacks. The common part comes first.

extern const char* const common_source;
/// For an interpreter of the SDK, whose streams and `__main__` are the sessions'.
extern const char* const own_source;
/// Follows `own_source` for an interpreter whose streams are those of the process.
extern const char* const standard_streams_source;
/// For an adopted interpreter, whose streams and `__main__` are the host's. `owner` is the thread that runs work of the SDK; every other
/// thread reaches the host's own streams through the routed ones.
extern const char* const adopted_source;

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
