#include "python/interpreter/stream_functions.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr Py_ssize_t max_emitted_chars = 256 * 1024;

const stream_ends* ends_of(PyObject* capsule) {
    return static_cast<const stream_ends*>(PyCapsule_GetPointer(capsule, nullptr));
}

bool write_output(output_switch& target, output_stream stream, const std::string& text) {
    PyThreadState* state = PyEval_SaveThread();  // the host's observer may block
    const bool ok = guarded(
        [&] {
            target.write(stream, text);
            return true;
        },
        [](std::string_view) { return false; });
    PyEval_RestoreThread(state);
    return ok;
}

PyObject* emit(PyObject* self, PyObject* arguments) {
    int stream = 0;
    PyObject* text = nullptr;
    if (PyArg_ParseTuple(arguments, "iO", &stream, &text) == 0) {
        return nullptr;
    }
    if (PyUnicode_Check(text) == 0) {
        return PyErr_Format(PyExc_TypeError, "write() argument must be str, not %.200s", Py_TYPE(text)->tp_name);
    }
    const stream_ends* ends = ends_of(self);
    if (ends == nullptr) {
        return nullptr;
    }
    const std::shared_ptr<output_switch> target = ends->output;
    const Py_ssize_t length = PyUnicode_GET_LENGTH(text);
    for (Py_ssize_t begin = 0; begin < length; begin += max_emitted_chars) {
        // In parts, because a long text must not be copied as a whole.
        const ref part =
            length <= max_emitted_chars ? ref::share(text) : ref::steal(PyUnicode_Substring(text, begin, begin + max_emitted_chars));
        if (!part) {
            return nullptr;
        }
        if (!write_output(*target, stream == 0 ? output_stream::out : output_stream::err, to_utf8(part.get()))) {
            PyErr_SetString(PyExc_RuntimeError, "the host could not handle the output");
            return nullptr;
        }
    }
    return PyLong_FromSsize_t(length);
}

PyObject* interrupted_read() {
    // The same Ctrl-C may have marked a signal too: it must raise one exception, not two.
    if (PyErr_CheckSignals() == 0) {
        PyErr_SetNone(PyExc_KeyboardInterrupt);
    }
    return nullptr;
}

PyObject* read_line(PyObject* self, PyObject* prompt) {
    if (PyUnicode_Check(prompt) == 0) {
        return PyErr_Format(PyExc_TypeError, "the prompt must be str, not %.200s", Py_TYPE(prompt)->tp_name);
    }
    const stream_ends* ends = ends_of(self);
    if (ends == nullptr) {
        return nullptr;
    }
    const std::shared_ptr<input_port> source = ends->input;
    const std::string prompt_text = to_utf8(prompt);
    PyThreadState* state = PyEval_SaveThread();
    const std::optional<input_line> line =
        guarded([&] { return source->read(prompt_text); }, [](std::string_view) -> std::optional<input_line> { return std::nullopt; });
    PyEval_RestoreThread(state);
    if (!line) {
        PyErr_SetString(PyExc_EOFError, "this Python session has no standard input");
        return nullptr;
    }
    switch (line->what) {
        case input_line::kind::interrupted: return interrupted_read();
        case input_line::kind::end: return PyUnicode_FromString("");
        case input_line::kind::line: break;
    }
    const std::string text = line->text + "\n";
    return PyUnicode_DecodeUTF8(text.data(), static_cast<Py_ssize_t>(text.size()), "surrogateescape");
}

PyMethodDef emit_definition = {"emit", &emit, METH_VARARGS, nullptr};
PyMethodDef read_line_definition = {"read_line", &read_line, METH_O, nullptr};

ref make_stream_capsule(const stream_ends& ends) {
    auto shared = std::make_unique<stream_ends>(ends);
    ref capsule = ref::steal(PyCapsule_New(shared.get(), nullptr,
                                           [](PyObject* self) { delete static_cast<stream_ends*>(PyCapsule_GetPointer(self, nullptr)); }));
    if (capsule) {
        [[maybe_unused]] const auto* taken = shared.release();  // the capsule owns it now
    }
    return capsule;
}

}  // namespace

bool add_stream_functions(PyObject* module, const stream_ends& ends) {
    const ref capsule = make_stream_capsule(ends);
    for (PyMethodDef* each : {&emit_definition, &read_line_definition}) {
        const ref function = capsule ? ref::steal(PyCFunction_New(each, capsule.get())) : ref();
        if (!function || PyModule_AddObjectRef(module, each->ml_name, function.get()) != 0) {
            return false;
        }
    }
    return true;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
