#include "python/look/allowed_calls.hpp"

#include "python/look/item_streams.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/static_lookup.hpp"
#include "python/look/text_format.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <bit>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr long max_round_digits = 1000;

/// One call of a function that is known. The handlers below return what it gives.
struct known_call {
    look_context& context;
    PyObject* callee;
    const look_arguments& arguments;

    [[nodiscard]] std::size_t count() const { return arguments.positional.size(); }
    [[nodiscard]] const looked_value* find(std::size_t position, std::string_view name = {}) const {
        return arguments.find(position, name);
    }
    /// The object of an argument. Null if there is none; a stream is refused.
    [[nodiscard]] PyObject* object(std::size_t position, std::string_view name = {}) const {
        const looked_value* found = find(position, name);
        if (found != nullptr && !found->object) {
            context.refuse("an iterator is no argument for this");
        }
        return found != nullptr ? found->object.get() : nullptr;
    }
    [[nodiscard]] ref as_ref(bool value) const { return ref::share(value ? Py_True : Py_False); }
    [[nodiscard]] ref as_ref(std::optional<bool> value) const { return value ? as_ref(*value) : ref(); }
};

ref call_len(const known_call& call) {
    PyObject* const value = call.object(0);
    if (value == nullptr) {
        return {};
    }
    if (is_exact_value(value)) {
        const Py_ssize_t size = PyObject_Size(value);
        return call.context.checked(size < 0 ? ref() : ref::steal(PyLong_FromSsize_t(size)));
    }
    if (has_builtin_length(value)) {
        return call.context.checked(ref::steal(PyLong_FromLongLong(size_of(value).value_or(0))));
    }
    return find_in_mro(Py_TYPE(value), "__len__")
               ? call.context.refuse("its length is computed by its own code")
               : call.context.raise("TypeError", "object of type '" + name_of(Py_TYPE(value)).name + "' has no len()");
}

ref call_sum(const known_call& call) {
    ref items = read_all(call.context, *call.find(0));
    PyObject* const start = call.find(1, "start") != nullptr ? call.object(1, "start") : nullptr;
    if (!items || call.context.failed()) {
        return {};
    }
    const auto all_numbers = [&] {
        for (Py_ssize_t i = 0; i < PyList_GET_SIZE(items.get()); ++i) {
            PyObject* const item = PyList_GET_ITEM(items.get(), i);
            if (!is_exact_number(item) || (PyLong_CheckExact(item) && bits_of(item) > max_look_bits)) {
                return false;
            }
        }
        return true;
    };
    ref total = start != nullptr ? ref::share(start) : ref::steal(PyLong_FromLong(0));
    if (total && is_exact_number(total.get()) && all_numbers()) {  // `sum` itself adds floats with less rounding
        return call.context.spend(static_cast<std::size_t>(PyList_GET_SIZE(items.get())))
                   ? call.context.checked(ref::steal(PyObject_CallFunctionObjArgs(call.callee, items.get(), total.get(), nullptr)))
                   : ref();
    }
    if (total && (PyUnicode_CheckExact(total.get()) || is_exact_bytes(total.get()))) {
        return call.context.raise("TypeError", "sum() can't sum strings or bytes [use join(seq) instead]");
    }
    for (Py_ssize_t i = 0; total && i < PyList_GET_SIZE(items.get()); ++i) {
        total = apply_binary(call.context, operation::add, total.get(), PyList_GET_ITEM(items.get(), i));
    }
    return total;
}

/// `min` and `max`.
ref call_extreme(const known_call& call) {
    ref items;
    if (call.count() == 1) {
        items = read_all(call.context, *call.find(0));
    } else {
        items = call.context.checked(ref::steal(PyList_New(0)));
        for (std::size_t i = 0; items && i < call.count(); ++i) {
            PyObject* const item = call.object(i);
            if (item == nullptr || PyList_Append(items.get(), item) != 0) {
                return call.context.failed() ? ref() : call.context.raise_current();
            }
        }
    }
    const std::optional<std::size_t> weight = items ? call.context.weigh(items.get()) : std::nullopt;
    if (!weight || !call.context.spend(*weight)) {
        return {};
    }
    if (call.find(SIZE_MAX, "default") != nullptr && PyList_GET_SIZE(items.get()) == 0 && call.count() == 1) {
        return ref::share(call.object(SIZE_MAX, "default"));
    }
    return call.context.checked(ref::steal(PyObject_CallOneArg(call.callee, items.get())));
}

ref call_sorted(const known_call& call) {
    const ref items = read_all(call.context, *call.find(0));
    const std::optional<std::size_t> weight = items ? call.context.weigh(items.get()) : std::nullopt;
    if (!weight || !call.context.spend(*weight * std::bit_width(static_cast<std::size_t>(PyList_GET_SIZE(items.get()))) / 4)) {
        return {};
    }
    PyObject* const reverse = call.object(SIZE_MAX, "reverse");
    if (reverse != nullptr && !is_exact_integer(reverse)) {
        return call.context.refuse("`reverse` is not a bool");
    }
    const bool reversed = reverse != nullptr && PyObject_IsTrue(reverse) != 0;
    // Equal items keep their order also when the list is reversed.
    const bool done =
        (!reversed || PyList_Reverse(items.get()) == 0) && PyList_Sort(items.get()) == 0 && (!reversed || PyList_Reverse(items.get()) == 0);
    return done ? items : call.context.raise_current();
}

/// `any` and `all`: they stop at the first item that decides.
template <bool Decisive>
ref call_quantifier(const known_call& call) {
    const std::shared_ptr<item_stream> items = open_items(call.context, *call.find(0));
    while (items) {
        const ref item = items->next();
        if (!item) {
            break;
        }
        const std::optional<bool> truth = truth_of(call.context, item.get());
        if (!truth || *truth == Decisive) {
            return call.as_ref(truth);
        }
    }
    return call.context.failed() ? ref() : call.as_ref(!Decisive);
}

/// Whether a class decides about its instances and subclasses as `type` does.
bool uses_type_checks(PyObject* classes, const char* hook) {
    PyTypeObject* owner = nullptr;
    return PyType_Check(classes) && find_in_mro(Py_TYPE(classes), hook, &owner) && owner == &PyType_Type;
}

/// `isinstance` (`object` is the instance) and `issubclass` (`type` is the class), for a class or a tuple of them.
std::optional<bool> matches_class(look_context& context, PyObject* object, PyTypeObject* type, PyObject* classes, int depth = 0) {
    if (PyTuple_CheckExact(classes) && depth < 8) {
        for (Py_ssize_t i = 0; i < PyTuple_GET_SIZE(classes); ++i) {
            const std::optional<bool> matches =
                context.spend(1) ? matches_class(context, object, type, PyTuple_GET_ITEM(classes, i), depth + 1) : std::nullopt;
            if (matches.value_or(true)) {
                return matches;
            }
        }
        return false;
    }
    if (object != nullptr && reinterpret_cast<PyObject*>(type) == classes) {
        return true;  // Python checks the exact class before the metaclass
    }
    if (!uses_type_checks(classes, object != nullptr ? "__instancecheck__" : "__subclasscheck__")) {
        context.refuse("the class decides by its own code what belongs to it");
        return std::nullopt;
    }
    if (PyType_IsSubtype(type, reinterpret_cast<PyTypeObject*>(classes)) != 0) {
        return true;
    }
    // Python then reads `__class__`, which an object can compute.
    const lookup own = object != nullptr ? static_attribute(object, "__class__") : lookup{};
    if (object != nullptr && (!own.found() || own.value.get() != reinterpret_cast<PyObject*>(type))) {
        context.refuse("the object computes its __class__");
        return std::nullopt;
    }
    return false;
}

ref call_isinstance(const known_call& call) {
    PyObject* const object = call.object(0);
    PyObject* const classes = call.object(1);
    return object != nullptr && classes != nullptr ? call.as_ref(matches_class(call.context, object, Py_TYPE(object), classes)) : ref();
}

ref call_issubclass(const known_call& call) {
    PyObject* const type = call.object(0);
    PyObject* const classes = call.object(1);
    if (type == nullptr || classes == nullptr) {
        return {};
    }
    if (!PyType_Check(type) || Py_TYPE(type) != &PyType_Type) {
        return call.context.refuse("the first argument is not a class of the metaclass `type`");
    }
    return call.as_ref(matches_class(call.context, nullptr, reinterpret_cast<PyTypeObject*>(type), classes));
}

ref call_type(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? ref::share(reinterpret_cast<PyObject*>(Py_TYPE(object))) : ref();
}

ref call_id(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? call.context.checked(ref::steal(PyLong_FromVoidPtr(object))) : ref();
}

ref call_callable(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? call.as_ref(Py_TYPE(object)->tp_call != nullptr) : ref();
}

ref call_bool(const known_call& call) {
    PyObject* const object = call.object(0);
    return call.count() == 0 ? call.as_ref(false) : object != nullptr ? call.as_ref(truth_of(call.context, object)) : ref();
}

/// `hasattr`, and `getattr` if `Value`.
template <bool Value>
ref call_attribute(const known_call& call) {
    PyObject* const object = call.object(0);
    PyObject* const name = call.object(1);
    if (object == nullptr || name == nullptr || !PyUnicode_CheckExact(name)) {
        return call.context.refuse("the name of an attribute is a string");
    }
    constexpr std::size_t steps_of_lookup = 32;
    if (!call.context.spend(steps_of_lookup)) {
        return {};
    }
    const lookup found = static_attribute(object, name);
    if (found.what == lookup::kind::needs_code || found.what == lookup::kind::unfit) {
        return call.context.refuse(found.why);
    }
    if (!Value) {
        return call.as_ref(found.found());
    }
    return found.found()       ? found.value
           : call.count() == 3 ? ref::share(call.object(2))
                               : call.context.raise("AttributeError", "'" + name_of(Py_TYPE(object)).name + "' object has no attribute '" +
                                                                          to_utf8(name) + "'");
}

ref call_text(const known_call& call) {
    PyObject* const object = call.object(0);
    return call.count() == 0 ? to_python("") : object != nullptr ? str_of(call.context, object) : ref();
}
ref call_repr(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? repr_of(call.context, object) : ref();
}
ref call_ascii(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr ? ascii_of(call.context, object) : ref();
}
ref call_format(const known_call& call) {
    PyObject* const object = call.object(0);
    const ref none = to_python("");
    PyObject* const specification = call.count() > 1 ? call.object(1) : none.get();
    return object != nullptr && specification != nullptr ? format_value(call.context, object, specification) : ref();
}

/// Functions and types for scalars, which need no check of sizes.
ref call_plain(const known_call& call) {
    return call_with_plain(call.context, call.callee, call.arguments);
}

/// `bin`, `oct`, `hex`.
ref call_digits(const known_call& call) {
    PyObject* const object = call.object(0);
    return object != nullptr && (!is_exact_integer(object) || call.context.fits_text(bits_of(object))) ? call_plain(call) : ref();
}

ref call_int(const known_call& call) {
    PyObject* const object = call.count() > 0 ? call.object(0) : nullptr;
    const bool text = object != nullptr && (PyUnicode_CheckExact(object) || is_exact_bytes(object));
    if (text && size_of(object).value_or(0) > static_cast<std::int64_t>(max_look_digits)) {
        return call.context.too_much("an integer has more than " + std::to_string(max_look_digits) + " digits");
    }
    return call_plain(call);
}

ref call_round(const known_call& call) {
    PyObject* const digits = call.object(1, "ndigits");
    if (digits != nullptr && digits != Py_None) {
        int overflow = 0;
        const long value = is_exact_integer(digits) ? PyLong_AsLongAndOverflow(digits, &overflow) : 0;
        if (overflow != 0 || value < -max_round_digits || value > max_round_digits) {
            return call.context.too_much("`round` to more than " + std::to_string(max_round_digits) + " digits");
        }
    }
    return call_plain(call);
}

ref call_pow(const known_call& call) {
    PyObject* const base = call.object(0, "base");
    PyObject* const exponent = call.object(1, "exp");
    PyObject* const modulus = call.object(2, "mod");
    return base != nullptr && exponent != nullptr ? apply_power(call.context, base, exponent, modulus)
                                                  : call.context.refuse("`pow` needs two arguments");
}

ref call_divmod(const known_call& call) {
    PyObject* const left = call.object(0);
    PyObject* const right = call.object(1);
    return left != nullptr && right != nullptr ? apply_divmod(call.context, left, right) : ref();
}

ref call_list(const known_call& call) {
    return call.count() == 0 ? ref::steal(PyList_New(0)) : read_all(call.context, *call.find(0));
}

ref call_tuple(const known_call& call) {
    const ref items = call_list(call);
    return items ? call.context.checked(ref::steal(PyList_AsTuple(items.get()))) : ref();
}

/// `set` and `frozenset`.
ref call_set(const known_call& call) {
    const ref items = call_list(call);
    return items && call.context.is_plain(items.get()) ? call.context.checked(ref::steal(PyObject_CallOneArg(call.callee, items.get())))
                                                       : ref();
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

looked_value call_enumerate(const known_call& call) {
    std::shared_ptr<item_stream> items = open_items(call.context, *call.find(0));
    PyObject* const given = call.object(1, "start");
    ref start = given != nullptr ? ref::share(given) : ref::steal(PyLong_FromLong(0));
    if (items && start && !is_exact_integer(start.get())) {
        call.context.refuse("`start` is not an integer");
    }
    return items && !call.context.failed() ? looked_value{.items = enumerate_items(call.context, std::move(items), std::move(start))}
                                           : looked_value{};
}

looked_value call_zip(const known_call& call) {
    std::vector<std::shared_ptr<item_stream>> streams;
    for (const looked_value& each : call.arguments.positional) {
        streams.push_back(open_items(call.context, each));
    }
    PyObject* const strict = call.object(SIZE_MAX, "strict");
    const std::optional<bool> is_strict = strict != nullptr ? truth_of(call.context, strict) : std::optional(false);
    return call.context.failed() ? looked_value{} : looked_value{.items = zip_items(call.context, std::move(streams), *is_strict)};
}

looked_value call_reversed(const known_call& call) {
    PyObject* const sequence = call.object(0);
    return sequence != nullptr ? looked_value{.items = reversed_items(call.context, sequence)} : looked_value{};
}

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
                                                    {"any", nullptr, 1, 1, {}, &object_of<call_quantifier<true>>},
                                                    {"all", nullptr, 1, 1, {}, &object_of<call_quantifier<false>>},
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
                                                    {"hasattr", nullptr, 2, 2, {}, &object_of<call_attribute<false>>},
                                                    {"getattr", nullptr, 2, 3, {}, &object_of<call_attribute<true>>},
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
