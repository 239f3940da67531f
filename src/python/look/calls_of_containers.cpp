#include "python/look/item_streams.hpp"
#include "python/look/known_calls.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

ref call_list(const known_call& call) {
    return call.count() == 0 ? ref::steal(PyList_New(0)) : read_all(call.context, *call.find(0));
}

ref call_tuple(const known_call& call) {
    const ref items = call_list(call);
    return items ? call.context.checked(ref::steal(PyList_AsTuple(items.get()))) : ref();
}

ref call_set(const known_call& call) {
    const ref items = call_list(call);
    const bool frozen = call.callee == reinterpret_cast<PyObject*>(&PyFrozenSet_Type);
    return items ? set_of(call.context, items.get(), ref::steal(frozen ? PyFrozenSet_New(nullptr) : PySet_New(nullptr))) : ref();
}

ref call_bytes(const known_call& call) {
    PyObject* const object = call.count() > 0 ? call.find(0)->object.get() : nullptr;
    if (object != nullptr && is_exact_integer(object)) {
        int overflow = 0;
        const long size = PyLong_AsLongAndOverflow(object, &overflow);
        if (!call.context.fits_text(overflow > 0 ? SIZE_MAX : size > 0 ? static_cast<std::size_t>(size) : 0)) {
            return {};
        }
    } else if (object != nullptr && is_exact_bytes(object) && !call.context.fits_text(static_cast<std::size_t>(Py_SIZE(object)))) {
        return {};
    } else if (object != nullptr && PyRange_Check(object)) {
        const ref items = read_all(call.context, {.object = ref::share(object)});
        return items ? call.context.checked(ref::steal(PyObject_CallOneArg(call.callee, items.get()))) : ref();
    }
    return call_plain(call);
}

ref call_dict(const known_call& call) {
    ref dict = call.context.checked(ref::steal(PyDict_New()));
    const auto store = [&](PyObject* key, PyObject* value) {
        if (!call.context.is_plain(key)) {
            return false;
        }
        if (PyDict_SetItem(dict.get(), key, value) != 0) {
            call.context.raise_current();
        }
        return !call.context.failed();
    };
    PyObject* const source = call.count() > 0 ? call.find(0)->object.get() : nullptr;
    if (source != nullptr && PyDict_CheckExact(source)) {
        if (!call.context.fits_items(static_cast<std::size_t>(PyDict_GET_SIZE(source)))) {
            return {};
        }
        for (dict_cursor each{source}; each.next();) {
            if (!store(each.key, each.value)) {
                return {};
            }
        }
    } else if (call.count() > 0) {
        const ref pairs = read_all(call.context, *call.find(0));
        for (Py_ssize_t i = 0; pairs && i < PyList_GET_SIZE(pairs.get()); ++i) {
            PyObject* const pair = PyList_GET_ITEM(pairs.get(), i);
            const bool is_pair = (PyTuple_CheckExact(pair) || PyList_CheckExact(pair)) && PySequence_Fast_GET_SIZE(pair) == 2;
            if (!is_pair) {
                return call.context.refuse("an item is not a tuple or list of two");
            }
            if (!store(PySequence_Fast_GET_ITEM(pair, 0), PySequence_Fast_GET_ITEM(pair, 1))) {
                return {};
            }
        }
    }
    for (const auto& [name, value] : call.arguments.named) {
        const ref key = to_python(name);
        if (!value.object || !key || !store(key.get(), value.object.get())) {
            return call.context.refuse("an iterator cannot be stored");
        }
    }
    return call.context.failed() ? ref() : dict;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
