#include "python/member_names.hpp"

#include "python/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <tuple>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_names = 100'000;
constexpr std::size_t max_compared = 2'000;  // edit distances are slow

void append_names(PyObject* dict, std::vector<std::string>& names) {
    Py_ssize_t position = 0;
    PyObject* key = nullptr;
    PyObject* value = nullptr;
    while (dict != nullptr && PyDict_Check(dict) && names.size() < max_names && PyDict_Next(dict, &position, &key, &value) != 0) {
        if (PyUnicode_CheckExact(key)) {
            names.push_back(to_utf8(key));
        }
    }
}

void append_class_names(PyTypeObject* type, std::vector<std::string>& names) {
    PyObject* mro = type->tp_mro;
    for (Py_ssize_t i = 0; mro != nullptr && i < PyTuple_GET_SIZE(mro); ++i) {
        if (PyType_Check(PyTuple_GET_ITEM(mro, i))) {
            append_names(type_dict(reinterpret_cast<PyTypeObject*>(PyTuple_GET_ITEM(mro, i))).get(), names);
        }
    }
}

std::vector<std::string> in_order(std::vector<std::string> names) {
    const auto group = [](const std::string& name) { return name.starts_with("__") ? 2 : name.starts_with("_") ? 1 : 0; };
    std::sort(names.begin(), names.end(), [&](const std::string& left, const std::string& right) {
        return std::tuple<int, const std::string&>(group(left), left) < std::tuple<int, const std::string&>(group(right), right);
    });
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

/// Matches `c` with the `[...]` at the start of `pattern`. Returns the length of the set, or 0 if it is not closed (`[` is then literal).
std::size_t match_set(std::string_view pattern, char c, bool& matched) {
    std::size_t at = 1;
    const bool negated = at < pattern.size() && pattern[at] == '!';
    at += negated ? 1 : 0;
    matched = false;
    for (bool first = true; at < pattern.size() && (first || pattern[at] != ']'); first = false) {
        const bool range = at + 2 < pattern.size() && pattern[at + 1] == '-' && pattern[at + 2] != ']';
        matched = matched || (c >= pattern[at] && c <= pattern[range ? at + 2 : at]);
        at += range ? 3 : 1;
    }
    matched = matched != negated;
    return at < pattern.size() ? at + 1 : 0;
}

}  // namespace

std::vector<std::string> member_names(PyObject* object) {
    std::vector<std::string> names;
    if (PyType_Check(object)) {
        append_class_names(reinterpret_cast<PyTypeObject*>(object), names);
    } else if (PyModule_Check(object)) {
        append_names(PyModule_GetDict(object), names);
    } else {
        append_names(instance_dict(object).get(), names);
        append_class_names(Py_TYPE(object), names);
    }
    return in_order(std::move(names));
}

std::vector<std::string> dict_names(PyObject* dict) {
    std::vector<std::string> names;
    append_names(dict, names);
    return in_order(std::move(names));
}

bool matches_glob(std::string_view name, std::string_view pattern) {
    if (pattern.empty()) {
        return true;
    }
    std::size_t n = 0;
    std::size_t p = 0;
    std::size_t star = std::string_view::npos;  // position after the last `*`
    std::size_t resume = 0;                     // end of the characters that this `*` matches
    while (n < name.size()) {
        bool matched = false;
        std::size_t width = 1;
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            resume = n;
            continue;
        }
        if (p < pattern.size() && pattern[p] == '[') {
            width = match_set(pattern.substr(p), name[n], matched);
            if (width == 0) {
                width = 1;
                matched = name[n] == '[';
            }
        } else if (p < pattern.size()) {
            matched = pattern[p] == '?' || pattern[p] == name[n];
        }
        if (matched) {
            ++n;
            p += width;
        } else if (star != std::string_view::npos) {
            p = star;
            n = ++resume;
        } else {
            return false;
        }
    }
    return pattern.find_first_not_of('*', p) == std::string_view::npos;
}

std::vector<std::string> nearest_names(std::string_view name, std::vector<std::string> candidates) {
    std::vector<std::string> nearest;
    if (candidates.size() > max_compared) {
        candidates.resize(max_compared);
    }
    while (nearest.size() < 3) {
        const std::string next(pyaichat::detail::nearest_name(name, candidates));
        if (next.empty()) {
            break;
        }
        std::erase(candidates, next);
        nearest.push_back(next);
    }
    return nearest;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
