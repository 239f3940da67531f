#include "python/look/member_names.hpp"

#include "python/look/static_lookup.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <tuple>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_names = 100'000;
constexpr std::size_t max_compared = 2'000;  // edit distances are slow

void append_names(PyObject* dict, std::vector<std::string>& names) {
    for (dict_cursor each{dict}; names.size() < max_names && each.next();) {
        if (PyUnicode_CheckExact(each.key)) {
            names.push_back(to_utf8(each.key));
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

/// Returns how many characters at the start of `pattern` stand for `c`: those of a `[...]`, or one. 0 if they stand for something else.
std::size_t match_one(std::string_view pattern, char c) {
    const bool negated = pattern.starts_with("[!");
    const std::size_t first = negated ? 2 : 1;
    const std::size_t end = pattern.starts_with('[') ? pattern.find(']', first + 1) : std::string_view::npos;
    if (end == std::string_view::npos) {  // a `[` that is not closed is literal
        return pattern.starts_with('?') || pattern.starts_with(c) ? 1 : 0;
    }
    bool matched = false;
    for (std::size_t at = first; at < end;) {
        const bool range = at + 2 < end && pattern[at + 1] == '-';
        matched = matched || (c >= pattern[at] && c <= pattern[range ? at + 2 : at]);
        at += range ? 3 : 1;
    }
    return matched != negated ? end + 1 : 0;
}

}  // namespace

std::vector<std::string> member_names(PyObject* object) {
    std::vector<std::string> names;
    append_names(instance_dict(object).get(), names);
    if (!PyModule_Check(object)) {
        for (const class_namespace& each :
             namespaces_of(PyType_Check(object) ? reinterpret_cast<PyTypeObject*>(object) : Py_TYPE(object))) {
            append_names(each.names.get(), names);
        }
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
        if (p < pattern.size() && pattern[p] == '*') {
            star = ++p;
            resume = n;
        } else if (const std::size_t width = match_one(pattern.substr(p), name[n]); width > 0) {
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
    candidates.resize(std::min(candidates.size(), max_compared));
    std::vector<std::string> nearest;
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
