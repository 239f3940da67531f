#pragma once
#include "python/interpreter/python_runtime.hpp"

#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The streams and the display hook of an adopted interpreter. While work runs, `sys` has routed ones: the thread that runs the work
/// reaches those of the SDK, and every other thread still reaches the host's. For the thread that runs work, GIL held.
class host_streams {
public:
    /// Routes the streams for code of the session with this module. Returns false with a Python error set, and nothing changed, if it
    /// fails.
    [[nodiscard]] bool route(const python_runtime& runtime, PyObject* module);

    /// Restores the host's streams, except those that the code or the host has replaced meanwhile. Runs no Python code.
    void restore(const python_runtime& runtime) noexcept;

private:
    struct stream {
        const char* name;
        ref host = {};    ///< null if `sys` had no such member
        ref routed = {};  ///< null if not routed
    };
    [[nodiscard]] static bool route(stream& each, const python_runtime& runtime, PyObject* module);

    std::array<stream, 4> streams_ = {stream{.name = "stdin"}, stream{.name = "stdout"}, stream{.name = "stderr"},
                                      stream{.name = "displayhook"}};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
