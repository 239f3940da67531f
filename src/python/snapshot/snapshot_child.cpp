#include "python/snapshot/snapshot_child.hpp"

#include "python/interpreter/audit_guard.hpp"
#include "python/interpreter/secrets.hpp"
#include "python/look/adapter.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/structural_printer.hpp"
#include "python/privacy/privacy_scope.hpp"
#include "python/snapshot/ctypes_block.hpp"
#include "python/snapshot/sealed_child.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/core/text.hpp>

#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_exception_message = 1000;
constexpr std::size_t max_exception_traceback = 4000;
constexpr std::string_view out_of_memory =
    R"({"exc_type":"MemoryError","message":"the copy of the process has no memory left","traceback":"","stdout":"","stderr":""})";

/// Repairs the locks and the thread states of Python. The child hooks of `os.register_at_fork` run, because modules such as `threading`
/// and `logging` need them; since 3.13 its "before" hooks run too, but here and not in the live process.
void restart_python() {
#if PY_VERSION_HEX >= 0x030D0000
    PyOS_BeforeFork();  // takes the locks that the next call releases
#endif
    PyOS_AfterFork_Child();
}

/// Removes the hidden variables of the copy, so that code cannot reach them by another way than their names.
void remove_hidden(PyObject* globals) {
    std::vector<ref> hidden;
    for (dict_cursor each{globals}; hides_names() && each.next();) {
        if (hides_name(each.key)) {
            hidden.push_back(ref::share(each.key));
        }
    }
    for (const ref& name : hidden) {
        static_cast<void>(PyDict_DelItem(globals, name.get()));
        PyErr_Clear();
    }
}

ref evaluate(session_state& session, const std::string& expression) {
    const ref source = to_python(expression);
    const ref file = ref::steal(PyUnicode_FromString("<expression>"));
    const ref mode = ref::steal(PyUnicode_FromString("eval"));
    const python_runtime& runtime = session.python().runtime();
    if (!source || !file || !mode || !session.activate()) {
        return {};
    }
    const ref code = runtime.call("compile_source", source.get(), file.get(), mode.get());
    return code ? ref::steal(PyEval_EvalCode(code.get(), session.globals(), session.globals())) : ref();
}

/// The result of the expression as members of the document.
json value_or_exception(session_state& session, const std::string& expression, std::size_t max_chars) {
    if (const ref value = evaluate(session, expression)) {
        const collector_pause paused;
        const adapter_use adapters(&session.python().host_types());
        const printed text = print_structure(value.get(), {.max_chars = max_chars});
        return json::object({{"value_repr", text.text + (text.clipped ? "..." : "")}});
    }
    const ref exception = take_exception();
    if (!exception) {
        return json::object({{"exc_type", "SystemError"}, {"message", "the code failed without an exception"}, {"traceback", ""}});
    }
    const exception_info info = describe_exception(exception.get(), session.python().runtime()).info;
    return json::object({{"exc_type", info.exc_type},
                         {"message", std::string(pyaichat::detail::utf8_prefix(info.message, max_exception_message))},
                         {"traceback", std::string(pyaichat::detail::utf8_suffix(info.traceback, max_exception_traceback))}});
}

#if PY_VERSION_HEX >= 0x030D0000
/// Calls a function of the built-in module `_imp`. Null, without an error set, if it was replaced.
ref call_import_function(const char* name) {
    PyObject* module = find_name(PyImport_GetModuleDict(), "_imp");
    PyObject* function = module != nullptr && PyModule_CheckExact(module) ? find_name(PyModule_GetDict(module), name) : nullptr;
    ref value = function != nullptr && PyCFunction_CheckExact(function) ? ref::steal(PyObject_CallNoArgs(function)) : ref();
    PyErr_Clear();
    return value;
}
#endif

}  // namespace

bool can_fork_python() {
#if PY_VERSION_HEX >= 0x030D0000
    // The child would wait forever for the import lock of a thread that it does not have. Earlier versions reset the lock.
    return call_import_function("lock_held").get() != Py_True;
#else
    return true;
#endif
}

void evaluate_in_child(session_state& session, const std::string& expression, const snapshot_limits& limits, int document) {
    output_sink of_restart;  // what hooks of other modules print is not output of the expression
    session.python().output().use_only(of_restart);
    audit_whole_process();
    refuse_ctypes_calls();
    restart_python();
    remove_secrets_from_python();
    remove_hidden(session.globals());
    output_sink output({}, limits.max_output);
    session.python().output().use_only(output);
    const bool sent = guarded(
        [&] {
            json described = value_or_exception(session, expression, limits.max_chars);
            described["stdout"] = output.text(output_stream::out);
            described["stderr"] = output.text(output_stream::err);
            send_document(document, dump_json(described));
            return true;
        },
        [](std::string_view) { return false; });
    if (!sent) {
        send_document(document, out_of_memory);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
