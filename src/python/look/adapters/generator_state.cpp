#include "python/look/adapters/generator_state.hpp"

#include "python/look/object_facts.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

#if PY_VERSION_HEX >= 0x030D0000
constexpr int frame_created = -3;
#else
constexpr int frame_created = -2;
#endif
constexpr int frame_executing = 0;

#if PY_VERSION_HEX >= 0x030C0000
ref frame_code(_PyInterpreterFrame* frame) {
    return ref::steal(PyUnstable_InterpreterFrame_GetCode(frame));
}

int frame_line(_PyInterpreterFrame* frame, PyCodeObject*) {
    return PyUnstable_InterpreterFrame_GetLine(frame);
}
#else
/// The beginning of a frame of Python 3.11, which has no function to read one.
struct frame_of_3_11 {
    PyFunctionObject* function;
    PyObject* globals;
    PyObject* builtins;
    PyObject* locals;
    PyCodeObject* code;
    PyFrameObject* object;
    void* previous;
    _Py_CODEUNIT* last_instruction;
};

ref frame_code(_PyInterpreterFrame* frame) {
    return ref::share(reinterpret_cast<PyObject*>(reinterpret_cast<frame_of_3_11*>(frame)->code));
}

int frame_line(_PyInterpreterFrame* frame, PyCodeObject* code) {
    const auto* at = reinterpret_cast<const char*>(reinterpret_cast<frame_of_3_11*>(frame)->last_instruction);
    return PyCode_Addr2Line(code, static_cast<int>(at - code->co_code_adaptive));
}
#endif

/// Where the code of a frame is: `/src/a.py:12`.
std::string frame_place(_PyInterpreterFrame* frame, bool started) {
    const ref code = frame_code(frame);
    if (!code || !PyCode_Check(code.get())) {
        return {};
    }
    auto* const source = reinterpret_cast<PyCodeObject*>(code.get());
    const int line = started ? frame_line(frame, source) : source->co_firstlineno;
    return text_or(source->co_filename) + (line > 0 ? ":" + std::to_string(line) : "");
}

}  // namespace

std::string generator_state(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    const char* kind = type == &PyGen_Type        ? "generator"
                       : type == &PyCoro_Type     ? "coroutine"
                       : type == &PyAsyncGen_Type ? "async generator"
                                                  : nullptr;
    if (kind == nullptr) {
        return {};
    }
    // The three kinds begin alike.
    auto* const generator = reinterpret_cast<PyGenObject*>(object);
    const int state = generator->gi_frame_state;
    const std::string name = std::string(kind) + " " + text_or(generator->gi_qualname);
    if (state > frame_executing) {
        return name + ", closed";
    }
    auto* const frame = reinterpret_cast<_PyInterpreterFrame*>(generator->gi_iframe);
    const char* const what = state == frame_created ? ", created" : state == frame_executing ? ", running" : ", suspended";
    const std::string place = frame_place(frame, state != frame_created);
    return name + what + (place.empty() ? "" : " at " + place);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
