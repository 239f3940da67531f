#pragma once
#include <pyaichat/python/detail/python_end.hpp>

#include "object_ref.hpp"

#include <optional>

namespace bindings {

/// Releases the GIL while it lives. At the end of Python, its thread sleeps: see `python_end.hpp`. A daemon thread may be in a run then.
class without_gil {
public:
    without_gil() {
        ai::python::detail::before_release();
        released_.emplace();
    }
    ~without_gil() {
        ai::python::detail::before_request();
        released_.reset();
        ai::python::detail::after_return();
    }
    without_gil(const without_gil&) = delete;
    without_gil& operator=(const without_gil&) = delete;

private:
    std::optional<py::gil_scoped_release> released_;
};

/// Holds the GIL while it lives.
class with_gil {
public:
    with_gil() {
        ai::python::detail::before_request();
        held_.emplace();
    }

private:
    std::optional<py::gil_scoped_acquire> held_;
};

}  // namespace bindings
