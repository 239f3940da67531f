#include "python/privacy/privacy_scope.hpp"

#include "python/privacy/secret_names.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

thread_local const privacy_scope* innermost_scope = nullptr;

/// Whether a value may hold a secret: texts, numbers, and containers with items. `None`, truth values, functions, classes and other objects
/// say nothing.
bool may_hold_secret(PyObject* value) {
    return PyUnicode_Check(value) || PyBytes_Check(value) || PyByteArray_Check(value) || PyFloat_Check(value) ||
           (PyLong_Check(value) && !PyBool_Check(value)) || PyList_Check(value) || PyTuple_Check(value) || PyDict_Check(value) ||
           PyAnySet_Check(value);
}

}  // namespace

struct active_privacy {
    [[nodiscard]] static const privacy_rules* rules() noexcept { return innermost_scope == nullptr ? nullptr : &innermost_scope->rules_; }
    [[nodiscard]] static bool names_secret() noexcept { return innermost_scope != nullptr && innermost_scope->names_secret_; }
};

privacy_scope::privacy_scope(const privacy_rules& rules, bool names_secret) noexcept
    : rules_(rules), outer_(innermost_scope), names_secret_(names_secret) {
    innermost_scope = this;
}

privacy_scope::~privacy_scope() {
    innermost_scope = outer_;
}

bool hides_names() noexcept {
    const privacy_rules* rules = active_privacy::rules();
    return rules != nullptr && !rules->hidden.empty();
}

bool hides_name(std::string_view name) {
    return hides_names() && active_privacy::rules()->hides(name);
}

bool hides_name(PyObject* name) {
    return hides_names() && name != nullptr && PyUnicode_CheckExact(name) && hides_name(to_utf8(name));
}

std::size_t sampled_items(std::size_t items) noexcept {
    const privacy_rules* rules = active_privacy::rules();
    return rules != nullptr && rules->values.what == values_policy::kind::sample ? std::min(items, rules->values.items) : items;
}

bool masks_value(std::string_view name, PyObject* value) {
    const privacy_rules* rules = active_privacy::rules();
    return rules != nullptr && rules->mask_secrets && value != nullptr && may_hold_secret(value) && says_secret(name);
}

bool masks_value(PyObject* name, PyObject* value) {
    const bool masks = active_privacy::rules() != nullptr && active_privacy::rules()->mask_secrets;
    return masks && name != nullptr && PyUnicode_CheckExact(name) && PyUnicode_GET_LENGTH(name) <= longest_secret_name &&
           masks_value(to_utf8(name), value);
}

bool masks_name(std::string_view name) {
    const privacy_rules* rules = active_privacy::rules();
    return rules != nullptr && rules->mask_secrets && says_secret(name);
}

std::string shown_text(std::string_view name, std::string_view printed) {
    constexpr std::size_t chars_per_item = 10;
    const privacy_rules* rules = active_privacy::rules();
    const bool says_nothing = printed == "None" || printed == "True" || printed == "False" || printed.starts_with('<');
    if (!says_nothing && masks_name(name)) {
        return std::string(named_secret_mark);
    }
    const std::size_t most = rules != nullptr && rules->values.what == values_policy::kind::sample
                                 ? std::max<std::size_t>(rules->values.items, 1) * chars_per_item
                                 : printed.size();
    const std::string_view kept = pyaichat::detail::utf8_prefix(printed, most);
    return std::string(kept) + (kept.size() < printed.size() ? "..." : "");
}

bool masks_results() noexcept {
    return active_privacy::names_secret() && active_privacy::rules()->mask_secrets;
}

bool masks_result(PyObject* value) {
    return masks_results() && value != nullptr && may_hold_secret(value);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
