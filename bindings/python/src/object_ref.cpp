#include "object_ref.hpp"

#include <mutex>
#include <utility>
#include <vector>

namespace bindings {

namespace {

/// Objects that wait for a thread with the GIL. Never destroyed: threads of the SDK may end after the static objects of the module.
struct drop_list {
    std::mutex mutex;
    std::vector<PyObject*> objects;
};

drop_list& dropped() {
    static auto* const list = new drop_list;
    return *list;
}

void drop(PyObject* object) {
    drop_list& list = dropped();
    const std::lock_guard lock(list.mutex);
    list.objects.push_back(object);
}

}  // namespace

object_ref::object_ref(py::object value) : held_(value.release().ptr(), &drop) {}

void release_dropped() {
    std::vector<PyObject*> objects;
    {
        drop_list& list = dropped();
        const std::lock_guard lock(list.mutex);
        objects.swap(list.objects);
    }
    for (PyObject* object : objects) {
        Py_DECREF(object);
    }
}

}  // namespace bindings
