#include "python/privacy/hidden_texts.hpp"

#include "python/look/object_facts.hpp"
#include "python/look/structural_printer.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

void collect_texts(PyObject* value, int depth, std::vector<std::string>& into) {
    if (value == nullptr || into.size() >= max_hidden_texts || depth > max_hidden_depth) {
        return;
    }
    if (PyUnicode_CheckExact(value) || PyBytes_CheckExact(value)) {
        const Py_ssize_t size = PyUnicode_Check(value) ? PyUnicode_GET_LENGTH(value) : PyBytes_GET_SIZE(value);
        if (size < min_hidden_length || size > max_hidden_length) {
            return;
        }
        // The text itself, and its `repr` without the quotes.
        const std::string printed = short_text(value, 4 * max_hidden_length);
        const std::size_t begin = printed.find_first_of("'\"") + 1;
        into.push_back(printed.substr(begin, printed.size() - begin - 1));
        if (PyUnicode_Check(value)) {
            into.push_back(to_utf8(value));
        }
    } else if (is_container(value)) {
        int left = max_hidden_items;
        for (item_walk each(value); left > 0 && each.next(); --left) {
            collect_texts(each.value.get(), depth + 1, into);
        }
    }
}

}  // namespace

std::vector<std::string> texts_of_hidden(const privacy_rules& rules, PyObject* globals) {
    std::vector<std::string> texts;
    if (rules.hidden.empty()) {
        return texts;
    }
    const collector_pause paused;
    for (dict_cursor each{globals}; texts.size() < max_hidden_texts && each.next();) {
        if (PyUnicode_CheckExact(each.key) && rules.hides(to_utf8(each.key))) {
            collect_texts(each.value, 0, texts);
        }
    }
    // The longest first, so that a text that contains another one is removed as a whole.
    std::sort(texts.begin(), texts.end(), [](const std::string& left, const std::string& right) { return left.size() > right.size(); });
    return texts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
