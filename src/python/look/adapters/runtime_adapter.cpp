#include "python/look/adapters/cell_type.hpp"
#include "python/look/adapters/families.hpp"
#include "python/look/adapters/generator_state.hpp"
#include "python/look/trusted_type.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

// Generators and coroutines: their state; they are never resumed.

adapted_text generator_text(PyObject* object, std::size_t) {
    return {.head = "<" + generator_state(object) + ">"};
}

// Files. The chain text -> buffer -> file is followed through exact C types only, because a user may have put an object of any class in it.

/// The `FileIO` below an open file, or null.
ref raw_file_of(PyObject* object) {
    ref file = ref::share(object);
    if (is_c_class(Py_TYPE(file.get()), "_io.TextIOWrapper")) {
        file = c_field(file.get(), "_io.TextIOWrapper", "buffer");
    }
    if (file) {
        for (const char* buffered : {"_io.BufferedReader", "_io.BufferedWriter", "_io.BufferedRandom"}) {
            if (is_c_class(Py_TYPE(file.get()), buffered)) {
                file = c_field(file.get(), buffered, "raw");
                break;
            }
        }
    }
    return file && is_c_class(Py_TYPE(file.get()), "_io.FileIO") ? file : ref();
}

adapted_text file_text(PyObject* object, std::size_t) {
    const std::string type = Py_TYPE(object)->tp_name;
    const ref raw = raw_file_of(object);
    if (!raw) {
        return {.head = "<" + type + " object>"};
    }
    adapted_text text{.head = "<" + type + " name="};
    const ref name = own_attribute(raw.get(), "name");
    text.parts.push_back({"", name ? name : ref::share(Py_None)});
    const ref own_mode = own_attribute(object, "mode");
    const ref mode = own_mode ? own_mode : c_field(raw.get(), "_io.FileIO", "mode");
    const ref encoding = c_field(object, "_io.TextIOWrapper", "encoding");
    text.tail = (mode && PyUnicode_CheckExact(mode.get()) ? " mode=" + scalar_object_text(mode.get()) : "") +
                (encoding && PyUnicode_CheckExact(encoding.get()) ? " encoding=" + scalar_object_text(encoding.get()) : "") +
                (c_field(raw.get(), "_io.FileIO", "closed").get() == Py_True ? ", closed>" : ", open>");
    return text;
}

// Threads and locks

/// Calls a method of a C class that only reads. Null if there is none.
ref call_reader(PyObject* object, const char* name) {
    PyObject* method = find_name(type_dict(Py_TYPE(object)).get(), name);
    ref value = method != nullptr && Py_TYPE(method) == &PyMethodDescr_Type ? ref::steal(PyObject_CallOneArg(method, object)) : ref();
    PyErr_Clear();
    return value;
}

adapted_text lock_text(PyObject* object, std::size_t) {
    const ref locked = call_reader(object, "locked");
    return {.head = locked.get() == Py_True ? "<lock, locked>" : "<lock, unlocked>"};
}

/// Whether a `threading.Thread` runs: "alive", "not started", "finished", or empty if that is unknown.
std::string thread_state(PyObject* object) {
    const ref started = own_attribute(object, "_started");
    const ref flag = started ? own_attribute(started.get(), "_flag") : ref();
    if (flag.get() == Py_False) {
        return ", not started";
    }
    if (const ref handle = own_attribute(object, "_handle"); handle && is_c_class(Py_TYPE(handle.get()), "_thread._ThreadHandle")) {
        const ref done = call_reader(handle.get(), "is_done");  // since 3.13
        return done.get() == Py_True ? ", finished" : done.get() == Py_False ? ", alive" : "";
    }
    const ref stopped = own_attribute(object, "_is_stopped");
    const ref lock = own_attribute(object, "_tstate_lock");
    if (stopped.get() == Py_True) {
        return ", finished";
    }
    const ref held = lock && is_c_class(Py_TYPE(lock.get()), "_thread.lock") ? call_reader(lock.get(), "locked") : ref();
    return held.get() == Py_True ? ", alive" : held.get() == Py_False ? ", finished" : "";
}

adapted_text thread_text(PyObject* object, std::size_t) {
    const ref name = own_attribute(object, "_name");
    const bool daemon = own_attribute(object, "_daemonic").get() == Py_True;
    return {.head = "<Thread ",
            .parts = {{"", name ? name : ref::share(Py_None)}},
            .tail = thread_state(object) + (daemon ? ", daemon>" : ">")};
}

constexpr adapter generator_adapter = {.text = &generator_text};
constexpr adapter file_adapter = {.text = &file_text};
constexpr adapter lock_adapter = {.text = &lock_text};
constexpr adapter thread_adapter = {.text = &thread_text};

}  // namespace

const adapter* find_runtime_adapter(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if (type == &PyGen_Type || type == &PyCoro_Type || type == &PyAsyncGen_Type) {
        return &generator_adapter;
    }
    const std::string_view name = type->tp_name;
    if (is_c_class(type)) {
        const bool is_file = name == "_io.TextIOWrapper" || name == "_io.BufferedReader" || name == "_io.BufferedWriter" ||
                             name == "_io.BufferedRandom" || name == "_io.FileIO";
        return is_file ? &file_adapter : name == "_thread.lock" ? &lock_adapter : nullptr;
    }
    return name == "Thread" && is_class_of(type, "threading", "Thread") ? &thread_adapter : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
