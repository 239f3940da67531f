#include "python/look/allowed_calls.hpp"
#include "python/look/evaluation.hpp"
#include "python/look/member_names.hpp"
#include "python/look/object_facts.hpp"
#include "python/look/operators.hpp"
#include "python/look/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <iterator>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t steps_of_attribute = 32;
/// How many dict entries a scan reads in the time of one step.
constexpr std::size_t entries_per_step = 8;

std::size_t entries(PyObject* dict) {
    return PyDict_Check(dict) ? static_cast<std::size_t>(PyDict_GET_SIZE(dict)) : 0;
}

ref unknown_name(look_context& context, const std::string& name, PyObject* globals) {
    std::vector<std::string> names = dict_names(globals);
    const std::vector<std::string> builtin_names = dict_names(context.builtins());
    names.insert(names.end(), builtin_names.begin(), builtin_names.end());
    return context.raise("NameError", "name '" + name + "' is not defined", nearest_names(name, std::move(names)));
}

ref unknown_attribute(look_context& context, PyObject* object, const std::string& name) {
    const std::string owner = PyType_Check(object)     ? "type object '" + name_of(reinterpret_cast<PyTypeObject*>(object)).name + "'"
                              : PyModule_Check(object) ? "the module"
                                                       : "'" + name_of(Py_TYPE(object)).name + "' object";
    return context.raise("AttributeError", owner + " has no attribute '" + name + "'", nearest_names(name, member_names(object)));
}

ref unknown_item(look_context& context, PyObject* object, PyObject* key, std::string_view key_source) {
    if (!PyDict_Check(object) && PyUnicode_CheckExact(key)) {
        return context.raise("KeyError", "key [" + std::string(key_source) + "] not found in the " + name_of(Py_TYPE(object)).name);
    }
    if (!PyDict_Check(object)) {
        return context.raise("IndexError", name_of(Py_TYPE(object)).name + " index out of range: it has " +
                                               std::to_string(size_of(object).value_or(0)) + " items");
    }
    return context.raise(
        "KeyError", "key [" + std::string(key_source) + "] not found among " + pyaichat::detail::counted(PyDict_GET_SIZE(object), "key"),
        PyUnicode_CheckExact(key) ? nearest_names(to_utf8(key), dict_names(object)) : std::vector<std::string>());
}

}  // namespace

ref evaluation::take(lookup&& found) {
    if (found.stand_in) {
        stand_ins_.push_back(ref::share(found.value.get()));
    }
    return std::move(found.value);
}

bool evaluation::is_stand_in(PyObject* object) const noexcept {
    return std::ranges::any_of(stand_ins_, [&](const ref& each) { return each.get() == object; });
}

ref evaluation::name(node_id id, const look_scope* scope) {
    const std::string& text = tree_[id].text;
    for (; scope != nullptr; scope = scope->outer) {
        for (const auto& [bound, value] : scope->names) {
            if (bound == text) {
                return value ? value
                             : context_.raise("UnboundLocalError",
                                              "cannot access local variable '" + text + "' where it is not associated with a value");
            }
        }
    }
    if (names_[id]) {
        return names_[id];
    }
    const ref key = context_.checked(to_python(text));
    if (!key || !context_.spend((entries(globals_) + entries(context_.builtins())) / entries_per_step)) {
        return {};
    }
    if (PyUnicode_IsIdentifier(key.get()) == 0) {
        return context_.refuse("it is not a name");
    }
    PyObject* found = find_name(globals_, key.get());
    found = found != nullptr ? found : find_name(context_.builtins(), key.get());
    names_[id] = ref::share(found);
    return found != nullptr ? names_[id] : unknown_name(context_, text, globals_);
}

ref evaluation::attribute(const node& node, const look_scope* scope) {
    const ref object = object_of(node.children[0], scope);
    if (!object || !context_.spend(steps_of_attribute)) {
        return {};
    }
    constexpr std::string_view of_columns_too[] = {"shape", "size", "ndim", "dtype"};
    if (is_stand_in(object.get()) && std::ranges::find(of_columns_too, node.text) == std::end(of_columns_too)) {
        return context_.refuse(only_code_makes_columns);
    }
    lookup found = static_attribute(object.get(), node.text);
    switch (found.what) {
        case lookup::kind::found: return take(std::move(found));
        case lookup::kind::missing: return unknown_attribute(context_, object.get(), node.text);
        case lookup::kind::needs_code:
        case lookup::kind::unfit: break;
    }
    return context_.refuse(found.why);
}

ref evaluation::subscript(const node& node, const look_scope* scope) {
    const ref object = object_of(node.children[0], scope);
    const ref key = object ? object_of(node.children[1], scope) : ref();
    if (!key || !context_.is_plain(key.get())) {
        return {};
    }
    if (is_stand_in(object.get()) && !PyLong_CheckExact(key.get())) {
        return context_.refuse(only_code_makes_columns);
    }
    if (PySlice_Check(key.get())) {
        return slice_of(object.get(), key.get());
    }
    if (PyDict_CheckExact(object.get())) {
        const ref found = find_entry(context_, object.get(), key.get());
        return found || context_.failed() ? found : unknown_item(context_, object.get(), key.get(), tree_.source_of(node.children[1]));
    }
    if (PyDict_Check(object.get()) && !context_.spend(entries(object.get()))) {
        return {};
    }
    lookup found = static_item(object.get(), key.get());
    switch (found.what) {
        case lookup::kind::found: return take(std::move(found));
        case lookup::kind::missing: return unknown_item(context_, object.get(), key.get(), tree_.source_of(node.children[1]));
        case lookup::kind::unfit: return context_.raise("TypeError", found.why);
        case lookup::kind::needs_code: break;
    }
    return context_.refuse(found.why);
}

/// `object[slice]` of an exact built-in sequence.
ref evaluation::slice_of(PyObject* object, PyObject* slice) {
    if (!needs_exact(context_, object)) {
        return {};
    }
    const bool items = PyList_CheckExact(object) || PyTuple_CheckExact(object);
    const bool text = PyUnicode_CheckExact(object) || is_exact_bytes(object);
    if (items || text) {
        Py_ssize_t start = 0;
        Py_ssize_t stop = 0;
        Py_ssize_t step = 0;
        if (PySlice_Unpack(slice, &start, &stop, &step) < 0) {
            return context_.raise_current();
        }
        const auto size = static_cast<Py_ssize_t>(size_of(object).value_or(0));
        const auto count = static_cast<std::size_t>(PySlice_AdjustIndices(size, &start, &stop, step));
        if (items ? !context_.fits_items(count) : !context_.fits_text(count)) {
            return {};
        }
    }
    if (PyRange_Check(object)) {
        const auto* parts = reinterpret_cast<PySliceObject*>(slice);
        for (PyObject* each : {parts->start, parts->stop, parts->step}) {
            if (is_exact_integer(each) && bits_of(each) > max_look_bits) {
                return context_.too_much("an integer has more than " + std::to_string(max_look_bits) + " bits");
            }
        }
    }
    if (PyDict_CheckExact(object)) {
        return context_.refuse("a slice is not a usual key");
    }
    return context_.checked(ref::steal(PyObject_GetItem(object, slice)));  // C code of an exact type
}

ref evaluation::slice(const node& node, const look_scope* scope) {
    std::vector<ref> parts;
    for (const node_id each : node.children) {
        parts.push_back(each == no_node ? ref() : object_of(each, scope));
        if (context_.failed()) {
            return {};
        }
    }
    return context_.checked(ref::steal(PySlice_New(parts[0].get(), parts[1].get(), parts[2].get())));
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
