#include "python/look/adapter.hpp"

#include "python/look/adapters/families.hpp"

#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

thread_local adapter_use* innermost_use = nullptr;

/// Built-in types that never have an adapter.
bool is_everyday(PyTypeObject* type) {
    static const std::array<PyTypeObject*, 16> everyday = {&PyUnicode_Type,  &PyLong_Type,      &PyFloat_Type,  &PyBool_Type,
                                                           &PyList_Type,     &PyDict_Type,      &PyTuple_Type,  &PySet_Type,
                                                           &PyBytes_Type,    &PyByteArray_Type, &PyType_Type,   &PyFrozenSet_Type,
                                                           &PyFunction_Type, &PyMethod_Type,    &PyModule_Type, &PyRange_Type};
    for (PyTypeObject* each : everyday) {
        if (type == each) {
            return true;
        }
    }
    return false;
}

}  // namespace

adapter_use::adapter_use(const host_adapters* host) : outer_(std::exchange(innermost_use, this)), host_(host) {
    if (host_ == nullptr && outer_ != nullptr) {
        host_ = outer_->host_;
    }
}

adapter_use::~adapter_use() {
    innermost_use = outer_;
    if (outer_ != nullptr) {
        outer_->used_ = outer_->used_ || used_;
    }
}

const host_adapters* adapter_use::host() noexcept {
    return innermost_use == nullptr ? nullptr : innermost_use->host_;
}

const adapter* find_adapter(PyObject* object) {
    if (object == nullptr || is_everyday(Py_TYPE(object)) || PyType_Check(object)) {
        return nullptr;
    }
    // The host comes first, so that it can describe its own data classes.
    constexpr std::array families = {&find_host_adapter,  &find_numpy_adapter,      &find_pandas_adapter, &find_datetime_adapter,
                                     &find_value_adapter, &find_collection_adapter, &find_runtime_adapter};
    for (const auto find : families) {
        if (const adapter* known = find(object)) {
            if (innermost_use != nullptr) {
                innermost_use->used_ = true;
            }
            return known;
        }
    }
    return nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
