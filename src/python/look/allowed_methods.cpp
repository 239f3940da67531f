#include "python/look/allowed_calls.hpp"
#include "python/look/item_streams.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/static_lookup.hpp"
#include "python/privacy/privacy_scope.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// A call of a method of an exact built-in value. The handlers below check it; then the method itself is called.
struct method_call {
    look_context& context;
    PyObject* self;
    std::string_view name;
    const look_arguments& arguments;

    [[nodiscard]] PyObject* object(std::size_t position, std::string_view keyword = {}) const {
        const looked_value* found = arguments.find(position, keyword);
        return found != nullptr ? found->object.get() : nullptr;
    }
    [[nodiscard]] std::size_t size() const { return length_of(self); }
    /// The length of text or bytes; 0 for other values.
    [[nodiscard]] static std::size_t length_of(PyObject* value) {
        return value != nullptr && (PyUnicode_CheckExact(value) || is_exact_bytes(value))
                   ? static_cast<std::size_t>(size_of(value).value_or(0))
                   : 0;
    }
    /// An int as a size: 0 if it is negative or missing.
    [[nodiscard]] static std::size_t size_from(PyObject* value, std::size_t otherwise = 0) {
        if (value == nullptr || !is_exact_integer(value)) {
            return otherwise;
        }
        int overflow = 0;
        const long long number = PyLong_AsLongLongAndOverflow(value, &overflow);
        return overflow > 0 ? SIZE_MAX / 4 : overflow < 0 || number < 0 ? 0 : std::min(static_cast<std::size_t>(number), SIZE_MAX / 4);
    }
    /// The number of characters that have a property.
    template <class Predicate>
    [[nodiscard]] std::size_t count_if(Predicate predicate) const {
        std::size_t count = 0;
        for (std::size_t i = 0; i < size(); ++i) {
            const Py_UCS4 c =
                PyUnicode_CheckExact(self) ? PyUnicode_READ_CHAR(self, static_cast<Py_ssize_t>(i)) : static_cast<unsigned char>(bytes()[i]);
            count += predicate(c) ? 1 : 0;
        }
        return count;
    }
    [[nodiscard]] std::string_view bytes() const {
        return {PyByteArray_CheckExact(self) ? PyByteArray_AS_STRING(self) : PyBytes_AS_STRING(self),
                static_cast<std::size_t>(Py_SIZE(self))};
    }
    /// How often text or bytes occur, at most.
    [[nodiscard]] std::size_t occurrences(PyObject* part) const {
        if (length_of(part) == 0) {
            return size() + 1;
        }
        if (PyUnicode_CheckExact(self) && PyUnicode_CheckExact(part)) {
            const Py_ssize_t count = PyUnicode_Count(self, part, 0, PY_SSIZE_T_MAX);
            PyErr_Clear();
            return count < 0 ? 0 : static_cast<std::size_t>(count);
        }
        return size() / length_of(part) + 1;
    }
};

using method_check = bool (*)(const method_call&);

/// Methods that only read text.
bool fits_reading(const method_call& call) {
    constexpr std::size_t characters_per_step = 64;
    return call.context.spend(call.size() / characters_per_step + 1);
}

bool fits_same_size(const method_call& call) {
    return call.context.fits_text(3 * call.size() + 64);  // `upper` may give three characters for one
}

/// Methods that compare each character with all characters of the argument in the worst case.
bool fits_product(const method_call& call) {
    constexpr std::size_t characters_per_step = 8;
    PyObject* const part = call.object(0);
    return fits_reading(call) && call.context.spend(call.size() * (1 + method_call::length_of(part)) / characters_per_step);
}

bool fits_parts(const method_call& call) {
    if (!fits_same_size(call)) {
        return false;
    }
    PyObject* const separator = call.object(0, "sep");
    const bool lines = call.name == "splitlines";
    const std::size_t parts = lines ? call.count_if([](Py_UCS4 c) { return c < 0x20 || Py_UNICODE_ISLINEBREAK(c); })
                              : separator == nullptr || separator == Py_None
                                  ? call.count_if([](Py_UCS4 c) { return Py_UNICODE_ISSPACE(c) != 0; })
                                  : call.occurrences(separator);
    return fits_product(call) && call.context.fits_items(parts + 1);
}

bool fits_join(const method_call& call) {
    PyObject* const items = call.object(0);
    if (items == nullptr || !(PyList_CheckExact(items) || PyTuple_CheckExact(items))) {
        // Any other container has at most so many items of unknown length: its text is weighed instead.
        const std::optional<std::size_t> weight = items != nullptr ? call.context.weigh(items) : std::nullopt;
        return weight && call.context.fits_text(*weight * (64 + call.size()));
    }
    std::size_t total = 0;
    for (Py_ssize_t i = 0; i < PySequence_Fast_GET_SIZE(items) && total <= max_look_text && call.context.spend(1); ++i) {
        total += call.size() + method_call::length_of(PySequence_Fast_GET_ITEM(items, i));
    }
    return call.context.fits_text(total);
}

bool fits_replace(const method_call& call) {
    PyObject* const to = call.object(1);
    return call.context.spend(call.size() / 64 + 1) &&
           call.context.fits_text(call.size() + call.occurrences(call.object(0)) * std::min(method_call::length_of(to), max_look_text + 1));
}

/// `center`, `ljust`, `rjust`, `zfill`.
bool fits_width(const method_call& call) {
    return call.context.fits_text(std::max(call.size(), method_call::size_from(call.object(0))));
}

bool fits_tabs(const method_call& call) {
    constexpr std::size_t usual_tab = 8;
    if (!fits_same_size(call)) {
        return false;
    }
    const std::size_t tab = std::min(method_call::size_from(call.object(0, "tabsize"), usual_tab), max_look_text + 1);
    return call.context.fits_text(call.size() + call.count_if([](Py_UCS4 c) { return c == '\t'; }) * tab);
}

/// Codecs that are C code. An error handler could be replaced by the user, so there must be no errors.
bool fits_codec(const method_call& call) {
    if (!fits_same_size(call)) {
        return false;
    }
    std::string encoding = "utf-8";
    if (PyObject* const given = call.object(0, "encoding")) {
        encoding = text_or(PyUnicode_CheckExact(given) ? given : nullptr);
    }
    const bool utf8 = encoding == "utf-8" || encoding == "utf8";
    const bool ascii = encoding == "ascii";
    if (call.arguments.find(1, "errors") != nullptr || !(utf8 || ascii || encoding == "latin-1")) {
        call.context.refuse("only utf-8, ascii and latin-1 without an error handler are known to run no code");
        return false;
    }
    const Py_UCS4 most = ascii ? 0x7F : utf8 ? 0x10FFFF : 0xFF;
    const bool encode = call.name == "encode";
    const bool clean = encode ? call.count_if([&](Py_UCS4 c) { return c > most || Py_UNICODE_IS_SURROGATE(c); }) == 0
                       : utf8 ? pyaichat::detail::is_utf8(call.bytes())
                              : call.count_if([&](Py_UCS4 c) { return c > most; }) == 0;
    if (!clean) {
        call.context.raise(encode ? "UnicodeEncodeError" : "UnicodeDecodeError",
                           "'" + encoding + "' codec can't " + std::string(call.name) + " this value");
    }
    return clean;
}

bool fits_copy(const method_call& call) {
    return call.context.fits_items(static_cast<std::size_t>(size_of(call.self).value_or(0)));
}

bool needs_plain_self(const method_call& call) {
    const std::optional<std::size_t> weight = call.context.weigh(call.self);
    return weight && call.context.spend(*weight);
}

bool fits_set(const method_call& call) {
    for (const looked_value& each : call.arguments.positional) {
        const bool built = call.name == "union" || call.name == "symmetric_difference";  // the others stop early, or only search
        PyObject* const items = each.object.get();
        if (built && items != nullptr && (PyList_CheckExact(items) || PyTuple_CheckExact(items)) &&
            !set_of(call.context, items, ref::steal(PySet_New(nullptr)))) {
            return false;
        }
    }
    return needs_plain_self(call) && fits_copy(call);
}

/// `range.index` and `range.count` walk through the range for everything that is not an int.
bool needs_integers(const method_call& call) {
    for (const looked_value& each : call.arguments.positional) {
        if (!each.object || !is_exact_integer(each.object.get())) {
            call.context.refuse("only integers are searched in a range");
            return false;
        }
        if (bits_of(each.object.get()) > max_look_bits) {
            call.context.too_much("an integer has more than " + std::to_string(max_look_bits) + " bits");
            return false;
        }
    }
    return needs_exact(call.context, call.self);
}

bool fits_always(const method_call&) {
    return true;
}

/// Whether the method would read all items of an argument whose length its weight does not tell.
bool is_read_whole(method_check check, PyObject* argument) {
    return (check == &fits_join && PyRange_Check(argument)) ||
           (check == &fits_set && (PyRange_Check(argument) || PyUnicode_CheckExact(argument) || is_exact_bytes(argument)));
}

struct method_group {
    PyTypeObject* type;
    std::string_view names;  ///< separated by blanks
    method_check check;
    std::string_view keywords = {};
};

const std::vector<method_group>& method_groups() {
    static const std::vector<method_group> all = [] {
        std::vector<method_group> groups = {{&PyUnicode_Type, "casefold", &fits_same_size},
                                            {&PyUnicode_Type, "isdecimal isidentifier isnumeric isprintable", &fits_reading},
                                            {&PyUnicode_Type, "encode", &fits_codec, "encoding errors"},
                                            {&PyList_Type, "index count", &needs_plain_self},
                                            {&PyList_Type, "copy", &fits_copy},
                                            {&PyTuple_Type, "index count", &needs_plain_self},
                                            {&PyDict_Type, "copy", &fits_copy},
                                            {&PyDict_Type, "keys values items", &fits_always},
                                            {&PyRange_Type, "index count", &needs_integers},
                                            {&PyLong_Type, "bit_length bit_count conjugate as_integer_ratio is_integer", &fits_always},
                                            {&PyFloat_Type, "is_integer hex as_integer_ratio conjugate", &fits_always},
                                            {&PyComplex_Type, "conjugate", &fits_always}};
        for (PyTypeObject* type : {&PyUnicode_Type, &PyBytes_Type, &PyByteArray_Type}) {
            groups.push_back({type, "capitalize lower partition removeprefix removesuffix swapcase title upper", &fits_same_size});
            groups.push_back({type, "count endswith find index isalnum isalpha isascii isdigit islower isspace istitle isupper startswith",
                              &fits_reading});
            groups.push_back({type, "strip lstrip rstrip rfind rindex rpartition", &fits_product});
            groups.push_back({type, "split rsplit", &fits_parts, "sep maxsplit"});
            groups.push_back({type, "splitlines", &fits_parts, "keepends"});
            groups.push_back({type, "join", &fits_join});
            groups.push_back({type, "replace", &fits_replace});
            groups.push_back({type, "center ljust rjust zfill", &fits_width});
            groups.push_back({type, "expandtabs", &fits_tabs, "tabsize"});
        }
        for (PyTypeObject* type : {&PyBytes_Type, &PyByteArray_Type}) {
            groups.push_back({type, "decode", &fits_codec, "encoding errors"});
            groups.push_back({type, "hex", &fits_same_size});
        }
        for (PyTypeObject* type : {&PySet_Type, &PyFrozenSet_Type}) {
            groups.push_back({type, "copy", &fits_copy});
            groups.push_back({type, "union intersection difference symmetric_difference issubset issuperset isdisjoint", &fits_set});
        }
        return groups;
    }();
    return all;
}

bool has_word(std::string_view words, std::string_view word) {
    for (std::size_t at = words.find(word); at != std::string_view::npos; at = words.find(word, at + 1)) {
        const bool begins = at == 0 || words[at - 1] == ' ';
        const bool ends = at + word.size() == words.size() || words[at + word.size()] == ' ';
        if (begins && ends) {
            return true;
        }
    }
    return false;
}

/// The built-in type whose method is bound in `callee`; null if it is not one of an exact built-in value.
PyTypeObject* owner_of_method(PyObject* callee, PyObject* self) {
    if (self == nullptr || !is_exact_value(self)) {
        return nullptr;
    }
    PyMethodDef* const definition = reinterpret_cast<PyCFunctionObject*>(callee)->m_ml;
    PyTypeObject* owner = nullptr;
    const ref descriptor = find_in_mro(Py_TYPE(self), definition->ml_name, &owner);
    const bool same = descriptor && Py_TYPE(descriptor.get()) == &PyMethodDescr_Type &&
                      reinterpret_cast<PyMethodDescrObject*>(descriptor.get())->d_method == definition;
    return same ? owner : nullptr;
}

/// `dict.get`.
ref get_entry(const method_call& call) {
    PyObject* const key = call.object(0);
    const looked_value* const otherwise = call.arguments.find(1);
    if (key == nullptr || call.arguments.positional.size() > 2 || !call.arguments.named.empty() ||
        (otherwise != nullptr && !otherwise->object)) {
        return call.context.refuse("`get` takes a key and a default");
    }
    const ref found = find_entry(call.context, call.self, key);
    if (found || call.context.failed()) {
        return found;
    }
    return otherwise != nullptr ? otherwise->object : ref::share(Py_None);
}

}  // namespace

ref find_entry(look_context& context, PyObject* dict, PyObject* key) {
    if (hides_name(key)) {
        return {};
    }
    const std::optional<std::size_t> weight = context.weigh(key);
    if (!weight || !context.spend(*weight)) {
        return {};
    }
    constexpr Py_ssize_t large = 4096;
    const bool scan_first = PyDict_GET_SIZE(dict) > large && context.is_first_lookup(dict);
    if (!scan_first && context.has_plain_keys(dict)) {
        PyObject* const value = PyDict_GetItemWithError(dict, key);
        return value != nullptr ? ref::share(value) : PyErr_Occurred() != nullptr ? context.raise_current() : ref();
    }
    constexpr std::size_t keys_per_step = 8;
    if (context.failed() || !context.spend(static_cast<std::size_t>(PyDict_GET_SIZE(dict)) / keys_per_step)) {
        return {};
    }
    lookup found = static_item(dict, key);
    return found.what == lookup::kind::needs_code ? context.refuse(found.why)
           : found.what == lookup::kind::unfit    ? context.raise("TypeError", found.why)
                                                  : std::move(found.value);
}

ref call_allowed_method(look_context& context, PyObject* callee, const look_arguments& arguments) {
    PyObject* const self = PyCFunction_GET_SELF(callee);
    const std::string_view name = reinterpret_cast<PyCFunctionObject*>(callee)->m_ml->ml_name;
    constexpr std::size_t steps_of_lookup = 16;
    if (!context.spend(steps_of_lookup)) {
        return {};
    }
    PyTypeObject* const owner = owner_of_method(callee, self);
    if (owner == &PyDict_Type && name == "get") {
        return get_entry({context, self, name, arguments});
    }
    const auto& groups = method_groups();
    const auto group = std::find_if(groups.begin(), groups.end(),
                                    [&](const method_group& each) { return each.type == owner && has_word(each.names, name); });
    const bool known = owner != nullptr && group != groups.end() &&
                       std::all_of(arguments.named.begin(), arguments.named.end(),
                                   [&](const auto& each) { return has_word(group->keywords, each.first); });
    if (!known) {
        return context.refuse("calling the method `" + std::string(name) + "` could run code or change something");
    }
    look_arguments read = arguments;
    for (looked_value& each : read.positional) {
        if (!each.object || is_read_whole(group->check, each.object.get())) {
            each = {.object = read_all(context, each)};
        }
        if (context.failed()) {
            return {};
        }
    }
    return group->check({context, self, name, read}) && !context.failed() ? call_with_plain(context, callee, read) : ref();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
