#include "python/look/allowed_calls.hpp"

#include "python/look/item_streams.hpp"
#include "python/look/known_calls.hpp"
#include "python/look/object_facts.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

template <ref (*Handler)(const known_call&)>
looked_value object_of(const known_call& call) {
    return {.object = Handler(call)};
}

struct known_function {
    const char* name;
    PyTypeObject* type;  ///< null for a function
    std::size_t fewest;
    std::size_t most;
    std::vector<std::string_view> names;  ///< of arguments by name; "*" for any
    looked_value (*handler)(const known_call&);
};

const std::vector<known_function>& known_functions() {
    static const std::vector<known_function> all = {{"len", nullptr, 1, 1, {}, &object_of<call_len>},
                                                    {"sum", nullptr, 1, 2, {"start"}, &object_of<call_sum>},
                                                    {"min", nullptr, 1, SIZE_MAX, {"default"}, &object_of<call_extreme>},
                                                    {"max", nullptr, 1, SIZE_MAX, {"default"}, &object_of<call_extreme>},
                                                    {"sorted", nullptr, 1, 1, {"reverse"}, &object_of<call_sorted>},
                                                    {"any", nullptr, 1, 1, {}, &object_of<call_any>},
                                                    {"all", nullptr, 1, 1, {}, &object_of<call_all>},
                                                    {"abs", nullptr, 1, 1, {}, &object_of<call_plain>},
                                                    {"round", nullptr, 1, 2, {"ndigits"}, &object_of<call_round>},
                                                    {"isinstance", nullptr, 2, 2, {}, &object_of<call_isinstance>},
                                                    {"issubclass", nullptr, 2, 2, {}, &object_of<call_issubclass>},
                                                    {"type", &PyType_Type, 1, 1, {}, &object_of<call_type>},
                                                    {"bool", &PyBool_Type, 0, 1, {}, &object_of<call_bool>},
                                                    {"int", &PyLong_Type, 0, 2, {"base"}, &object_of<call_int>},
                                                    {"float", &PyFloat_Type, 0, 1, {}, &object_of<call_plain>},
                                                    {"complex", &PyComplex_Type, 0, 2, {"real", "imag"}, &object_of<call_plain>},
                                                    {"str", &PyUnicode_Type, 0, 1, {}, &object_of<call_text>},
                                                    {"repr", nullptr, 1, 1, {}, &object_of<call_repr>},
                                                    {"ascii", nullptr, 1, 1, {}, &object_of<call_ascii>},
                                                    {"format", nullptr, 1, 2, {}, &object_of<call_format>},
                                                    {"bytes", &PyBytes_Type, 0, 1, {}, &object_of<call_bytes>},
                                                    {"list", &PyList_Type, 0, 1, {}, &object_of<call_list>},
                                                    {"tuple", &PyTuple_Type, 0, 1, {}, &object_of<call_tuple>},
                                                    {"set", &PySet_Type, 0, 1, {}, &object_of<call_set>},
                                                    {"frozenset", &PyFrozenSet_Type, 0, 1, {}, &object_of<call_set>},
                                                    {"dict", &PyDict_Type, 0, 1, {"*"}, &object_of<call_dict>},
                                                    {"range", &PyRange_Type, 1, 3, {}, &object_of<call_plain>},
                                                    {"slice", &PySlice_Type, 1, 3, {}, &object_of<call_plain>},
                                                    {"enumerate", &PyEnum_Type, 1, 2, {"start"}, &call_enumerate},
                                                    {"zip", &PyZip_Type, 0, SIZE_MAX, {"strict"}, &call_zip},
                                                    {"reversed", &PyReversed_Type, 1, 1, {}, &call_reversed},
                                                    {"divmod", nullptr, 2, 2, {}, &object_of<call_divmod>},
                                                    {"pow", nullptr, 0, 3, {"base", "exp", "mod"}, &object_of<call_pow>},
                                                    {"ord", nullptr, 1, 1, {}, &object_of<call_plain>},
                                                    {"chr", nullptr, 1, 1, {}, &object_of<call_plain>},
                                                    {"bin", nullptr, 1, 1, {}, &object_of<call_digits>},
                                                    {"oct", nullptr, 1, 1, {}, &object_of<call_digits>},
                                                    {"hex", nullptr, 1, 1, {}, &object_of<call_digits>},
                                                    {"callable", nullptr, 1, 1, {}, &object_of<call_callable>},
                                                    {"id", nullptr, 1, 1, {}, &object_of<call_id>},
                                                    {"hasattr", nullptr, 2, 2, {}, &object_of<call_hasattr>},
                                                    {"getattr", nullptr, 2, 3, {}, &object_of<call_getattr>},
                                                    {"hash", nullptr, 1, 1, {}, &object_of<call_plain>}};
    return all;
}

/// The name of a function of the module `builtins`: Python code cannot create another function object that is bound to this module.
std::string_view builtin_name(look_context& context, PyObject* callee) {
    if (!PyCFunction_CheckExact(callee)) {
        return {};
    }
    PyObject* const self = PyCFunction_GET_SELF(callee);
    const bool of_builtins = self != nullptr && PyModule_CheckExact(self) && PyModule_GetDict(self) == context.builtins();
    return of_builtins ? reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name : std::string_view();
}

}  // namespace

const looked_value* look_arguments::find(std::size_t position, std::string_view name) const {
    if (position < positional.size()) {
        return &positional[position];
    }
    const auto found = std::find_if(named.begin(), named.end(), [&](const auto& each) { return each.first == name; });
    return found != named.end() ? &found->second : nullptr;
}

ref call_with_plain(look_context& context, PyObject* callee, const look_arguments& arguments) {
    const ref positional = context.checked(ref::steal(PyTuple_New(static_cast<Py_ssize_t>(arguments.positional.size()))));
    const ref named = arguments.named.empty() ? ref() : context.checked(ref::steal(PyDict_New()));
    for (std::size_t i = 0; positional && i < arguments.positional.size(); ++i) {
        const looked_value& each = arguments.positional[i];
        ref object = each.object ? each.object : read_all(context, each);
        const std::optional<std::size_t> weight = object ? context.weigh(object.get()) : std::nullopt;
        if (!weight || !context.spend(*weight)) {
            return {};
        }
        PyTuple_SET_ITEM(positional.get(), static_cast<Py_ssize_t>(i), object.release());
    }
    for (const auto& [name, value] : arguments.named) {
        if (context.failed() || !value.object || !context.is_plain(value.object.get())) {
            return context.refuse("an iterator is no argument for this");
        }
        if (PyDict_SetItemString(named.get(), name.c_str(), value.object.get()) != 0) {
            return context.raise_current();
        }
    }
    return context.failed() ? ref() : context.checked(ref::steal(PyObject_Call(callee, positional.get(), named.get())));
}

looked_value call_allowed(look_context& context, PyObject* callee, const look_arguments& arguments) {
    const std::string_view name = builtin_name(context, callee);
    const auto& all = known_functions();
    const auto found = std::find_if(all.begin(), all.end(), [&](const known_function& each) {
        return each.type != nullptr ? callee == reinterpret_cast<PyObject*>(each.type) : name == each.name;
    });
    if (found == all.end()) {
        if (name.empty() && PyCFunction_CheckExact(callee)) {
            return {.object = call_allowed_method(context, callee, arguments)};
        }
        context.refuse("calling `" + summary_of(callee, 60) + "` could run any code");
        return {};
    }
    const auto& names = found->names;
    const auto is_known = [&](const auto& each) {
        return std::find_if(names.begin(), names.end(), [&](std::string_view known) { return known == "*" || known == each.first; }) !=
               names.end();
    };
    if (!std::all_of(arguments.named.begin(), arguments.named.end(), is_known)) {
        context.refuse(std::string("an argument of `") + found->name + "` is not supported");
        return {};
    }
    if (arguments.positional.size() > found->most) {
        context.refuse(std::string("so many arguments of `") + found->name + "` are not supported");
        return {};
    }
    if (arguments.positional.size() < found->fewest) {
        context.raise("TypeError", std::string(found->name) + "() takes at least " +
                                       pyaichat::detail::counted(static_cast<std::int64_t>(found->fewest), "argument") + " (" +
                                       std::to_string(arguments.positional.size()) + " given)");
        return {};
    }
    const looked_value value = found->handler({context, callee, arguments});
    return context.failed() ? looked_value{} : value;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
