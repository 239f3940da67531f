#include "python/look/attribute_index.hpp"

#include "python/privacy/privacy_scope.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::vector<ref> dicts_of(PyTypeObject* type) {
    std::vector<ref> dicts;
    for (class_namespace& each : namespaces_of(type)) {
        dicts.push_back(std::move(each.names));
    }
    return dicts;
}

}  // namespace

attribute_index::attribute_index(PyObject* object) : type_dicts_(dicts_of(Py_TYPE(object))) {
    const bool is_class = PyType_Check(object);
    own_dicts_ = is_class ? dicts_of(reinterpret_cast<PyTypeObject*>(object)) : std::vector<ref>{instance_dict(object)};
    const bool lists_type = !is_class && !PyModule_Check(object);

    walk(type_dicts_, [&](PyObject* name, PyObject* value) {
        if (positions_.try_emplace(text_of(name), places_.size()).second) {
            places_.push_back({name, value, nullptr, lists_type});
        }
    });
    // The names in one dict differ from each other, so they need no places in the map.
    const bool may_repeat = own_dicts_.size() > 1;
    walk(own_dicts_, [&](PyObject* name, PyObject* value) {
        const std::string_view text = text_of(name);
        auto known = positions_.find(text);
        if (known == positions_.end()) {
            if (may_repeat) {
                positions_.emplace(text, places_.size());
            }
            places_.push_back({name, nullptr, value, true});
        } else if (attribute_place& place = places_[known->second]; place.own == nullptr) {
            place.own = value;
            place.listed = true;
        }
    });
    positions_.clear();
    std::erase_if(places_, [](const attribute_place& place) { return !place.listed; });
}

template <class Add>
void attribute_index::walk(const std::vector<ref>& dicts, Add add) {
    std::size_t left = max_entries;
    for (const ref& dict : dicts) {
        for (dict_cursor each{dict.get()}; each.next(); --left) {
            if (left == 0) {
                complete_ = false;
                return;
            }
            if (!PyUnicode_CheckExact(each.key) || hides_name(each.key)) {
                continue;
            }
            if (PyUnicode_GET_LENGTH(each.key) > max_name_length) {
                complete_ = false;
            } else {
                add(each.key, each.value);
            }
        }
    }
}

std::string_view attribute_index::text_of(PyObject* name) {
    if (PyUnicode_IS_COMPACT_ASCII(name)) {
        return {static_cast<const char*>(PyUnicode_DATA(name)), static_cast<std::size_t>(PyUnicode_GET_LENGTH(name))};
    }
    return other_names_.emplace_back(to_utf8(name));
}

int attribute_index::group_of(PyObject* name) {
    const Py_ssize_t length = PyUnicode_GET_LENGTH(name);
    const bool one = length > 0 && PyUnicode_READ_CHAR(name, 0) == '_';
    return one ? length > 1 && PyUnicode_READ_CHAR(name, 1) == '_' ? 2 : 1 : 0;
}

bool attribute_index::before(const attribute_place& left, const attribute_place& right) {
    const int difference = group_of(left.name) - group_of(right.name);
    return difference != 0 ? difference < 0 : PyUnicode_Compare(left.name, right.name) < 0;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
