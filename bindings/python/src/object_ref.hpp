#pragma once
#include <pyaichat/fwd.hpp>

#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>

namespace bindings {

namespace py = pybind11;
namespace ai = pyaichat;

/// A Python object that any thread may copy and destroy without the GIL. Threads of the SDK hold locks when they destroy what they own, so
/// they must never wait for the GIL: the object is released by the next thread that calls `release_dropped`.
class object_ref {
public:
    object_ref() = default;
    /// Needs the GIL.
    explicit object_ref(py::object value);

    [[nodiscard]] explicit operator bool() const noexcept { return held_ != nullptr; }
    /// Needs the GIL.
    [[nodiscard]] py::object get() const { return py::reinterpret_borrow<py::object>(held_.get()); }

private:
    std::shared_ptr<PyObject> held_;
};

/// Releases the objects whose last `object_ref` was destroyed. Needs the GIL.
void release_dropped();

}  // namespace bindings
