#include "python/session/last_exception.hpp"

#include "python/look/adapter.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_frames = 50;
constexpr std::size_t max_locals = 20;
constexpr std::size_t max_local_chars = 120;
constexpr std::size_t max_message_bytes = 8 * 1024;
constexpr std::size_t max_traceback_bytes = 64 * 1024;

/// The value of a local variable, or null when it is not set.
ref local_value(PyFrameObject* frame, PyObject* name) {
#if PY_VERSION_HEX >= 0x030C0000
    ref value = ref::steal(PyFrame_GetVar(frame, name));
    PyErr_Clear();
    return value;
#else
    const ref locals = ref::steal(PyFrame_GetLocals(frame));  // a dict, because callers pass frames of functions only
    PyErr_Clear();
    return ref::share(find_name(locals.get(), name));
#endif
}

json describe_locals(PyFrameObject* frame, PyCodeObject* code) {
    json locals = json::object();
    if ((code->co_flags & CO_OPTIMIZED) == 0) {
        return locals;  // a module or a class body
    }
    for (const ref& names :
         {ref::steal(PyCode_GetVarnames(code)), ref::steal(PyCode_GetCellvars(code)), ref::steal(PyCode_GetFreevars(code))}) {
        PyErr_Clear();
        const Py_ssize_t count = names ? PyTuple_GET_SIZE(names.get()) : 0;
        for (Py_ssize_t i = 0; i < count && locals.size() < max_locals; ++i) {
            PyObject* name = PyTuple_GET_ITEM(names.get(), i);
            if (const ref value = local_value(frame, name)) {
                locals[name_text(name)] = short_text(value.get(), max_local_chars);
            }
        }
    }
    return locals;
}

json describe_frame(PyTracebackObject* entry, PyCodeObject* code, const python_runtime& runtime) {
    const int line = entry->tb_lineno > 0 ? entry->tb_lineno : PyCode_Addr2Line(code, entry->tb_lasti);
    const ref number = ref::steal(PyLong_FromLong(line));
    const ref source = number ? runtime.call("source_line", code->co_filename, number.get()) : ref();
    PyErr_Clear();
    return json::object({{"file", text_or(code->co_filename)},
                         {"line", line},
                         {"function", text_or(code->co_qualname)},
                         {"source_line", std::string(pyaichat::detail::utf8_prefix(text_or(source.get(), ""), 200))},
                         {"locals", describe_locals(entry->tb_frame, code)}});
}

/// Keeps both ends of a long text, because both ends of a traceback matter.
std::string bounded(const std::string& text, std::size_t bytes) {
    if (text.size() <= bytes) {
        return text;
    }
    return std::string(pyaichat::detail::utf8_prefix(text, bytes / 2)) + "\n  [" + std::to_string(text.size() - bytes) +
           " bytes left out]\n" + std::string(pyaichat::detail::utf8_suffix(text, bytes / 2));
}

/// The message of an exception, from its arguments.
std::string message_of(PyObject* exception) {
    PyObject* arguments = reinterpret_cast<PyBaseExceptionObject*>(exception)->args;  // a tuple, or null
    if (arguments == nullptr || PyTuple_GET_SIZE(arguments) == 0) {
        return {};
    }
    PyObject* first = PyTuple_GET_ITEM(arguments, 0);
    return PyTuple_GET_SIZE(arguments) == 1 && PyUnicode_CheckExact(first) ? to_utf8(first) : short_text(arguments, max_message_bytes / 4);
}

/// Fills in the frames. Runs no code of the user.
void add_frames(caught_exception& caught, PyObject* exception, const python_runtime& runtime) {
    const collector_pause paused;
    const adapter_use adapters;
    const ref first = ref::steal(PyException_GetTraceback(exception));
    std::vector<PyTracebackObject*> entries;
    // An exception whose traceback was set to None may return None.
    PyObject* begin = first && PyTraceBack_Check(first.get()) != 0 ? first.get() : nullptr;
    for (auto* each = reinterpret_cast<PyTracebackObject*>(begin); each != nullptr; each = each->tb_next) {
        const ref code = ref::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(each->tb_frame)));
        if (PyUnicode_CompareWithASCIIString(reinterpret_cast<PyCodeObject*>(code.get())->co_filename, own_file_name) != 0) {
            entries.push_back(each);
        }
    }
    caught.frames_total = entries.size();
    const std::size_t skipped = entries.size() - std::min(entries.size(), max_frames);
    for (std::size_t i = skipped; i < entries.size(); ++i) {
        const ref code = ref::steal(reinterpret_cast<PyObject*>(PyFrame_GetCode(entries[i]->tb_frame)));
        caught.frames.push_back(describe_frame(entries[i], reinterpret_cast<PyCodeObject*>(code.get()), runtime));
    }
    caught.used_adapters = adapters.used();
}

/// Writes a traceback of the described frames, in the form of Python's own.
std::string traceback_of(const caught_exception& caught) {
    std::string text = "Traceback (most recent call last):\n";
    for (const json& frame : caught.frames) {
        text += "  File \"" + std::string(string_member(frame, "file").value_or("?")) + "\", line " +
                std::to_string(integer_member(frame, "line").value_or(0)) + ", in " +
                std::string(string_member(frame, "function").value_or("?")) + "\n";
        if (const std::string_view source = string_member(frame, "source_line").value_or(""); !source.empty()) {
            text += "    " + std::string(source) + "\n";
        }
    }
    return text + caught.info.exc_type + (caught.info.message.empty() ? "" : ": " + caught.info.message) + "\n";
}

}  // namespace

json visible_frame(const json& frame) {
    json visible = frame;
    json locals = json::object();
    if (const json* all = find_member(frame, "locals")) {
        for (const auto& [name, text] : all->items()) {
            if (!hides_name(name)) {
                locals[name] = shown_text(name, as_string(text).value_or(""));
            }
        }
    }
    visible["locals"] = std::move(locals);
    return visible;
}

caught_exception describe_exception(PyObject* exception, const python_runtime& runtime) {
    caught_exception caught;
    caught.info.exc_type = name_of(Py_TYPE(exception)).qualified();
    const ref message = ref::steal(PyObject_Str(exception));
    PyErr_Clear();
    caught.info.message = message ? bounded(to_utf8(message.get()), max_message_bytes) : "<its __str__ failed>";
    const ref traceback = runtime.call("format_exception", exception);
    PyErr_Clear();
    caught.info.traceback =
        traceback ? bounded(text_or(traceback.get()), max_traceback_bytes) : caught.info.exc_type + ": " + caught.info.message + "\n";
    add_frames(caught, exception, runtime);
    return caught;
}

caught_exception describe_structure(PyObject* exception, const python_runtime& runtime) {
    caught_exception caught;
    caught.info.exc_type = name_of(Py_TYPE(exception)).qualified();
    caught.info.message = bounded(message_of(exception), max_message_bytes);
    add_frames(caught, exception, runtime);
    caught.info.traceback = bounded(traceback_of(caught), max_traceback_bytes);
    return caught;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
