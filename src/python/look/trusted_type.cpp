#include "python/look/trusted_type.hpp"

#include "python/look/static_lookup.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

PyTypeObject* c_base_of(PyTypeObject* type, std::string_view name) {
    PyObject* mro = type->tp_mro;
    const Py_ssize_t count = mro != nullptr && PyTuple_CheckExact(mro) ? PyTuple_GET_SIZE(mro) : 0;
    for (Py_ssize_t i = 0; i < count; ++i) {
        auto* each = reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i));
        // A metaclass may compute the MRO, so a class in it need not be a real base.
        if (PyType_Check(PyTuple_GET_ITEM(mro, i)) && is_c_class(each, name)) {
            for (PyTypeObject* base = type; base != nullptr; base = base->tp_base) {
                if (base == each) {
                    return each;
                }
            }
        }
    }
    return nullptr;
}

ref c_field(PyObject* object, std::string_view base, const char* name) {
    PyTypeObject* owner = c_base_of(Py_TYPE(object), base);
    if (owner == nullptr) {
        return {};
    }
    PyObject* descriptor = find_name(type_dict(owner).get(), name);
    if (descriptor == nullptr || (Py_TYPE(descriptor) != &PyGetSetDescr_Type && Py_TYPE(descriptor) != &PyMemberDescr_Type)) {
        return {};
    }
    ref value = ref::steal(Py_TYPE(descriptor)->tp_descr_get(descriptor, object, reinterpret_cast<PyObject*>(Py_TYPE(object))));
    PyErr_Clear();
    return value;
}

PyObject* loaded_module(const char* name) {
    PyObject* module = find_name(PyImport_GetModuleDict(), name);
    return module != nullptr && PyModule_Check(module) ? module : nullptr;
}

bool is_class_of(PyTypeObject* type, const char* module, const char* name) {
    PyObject* found = loaded_module(module);
    return found != nullptr && find_name(PyModule_GetDict(found), name) == reinterpret_cast<PyObject*>(type);
}

ref own_attribute(PyObject* object, const char* name) {
    const ref names = instance_dict(object);
    return ref::share(find_name(names.get(), name));
}

ref slot_attribute(PyObject* object, const char* name) {
    const ref descriptor = find_in_mro(Py_TYPE(object), name);
    return descriptor && Py_TYPE(descriptor.get()) == &PyMemberDescr_Type ? builtin_member(Py_TYPE(object), object, name) : ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
