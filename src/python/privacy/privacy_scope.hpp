#pragma once
#include "python/privacy/privacy_rules.hpp"
#include "python/python_api.hpp"

#include <cstddef>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Applies the rules of a session to everything that this thread looks up and prints while the scope lives. The rules are not a parameter
/// of each lookup and printer, because one that was forgotten would show what is hidden. Scopes nest.
class privacy_scope {
public:
    /// `names_secret`: the expression of the call names a secret, so that the values that it leads to are masked.
    privacy_scope(const privacy_rules& rules, bool names_secret) noexcept;
    ~privacy_scope();
    privacy_scope(const privacy_scope&) = delete;
    privacy_scope& operator=(const privacy_scope&) = delete;

private:
    friend struct active_privacy;
    const privacy_rules& rules_;
    const privacy_scope* outer_;
    bool names_secret_;
};

// The questions that lookups and printers ask. Without a scope nothing is hidden, masked or cut.

/// Whether a name is hidden. Objects that are not exact strings are never hidden.
[[nodiscard]] bool hides_name(PyObject* name);
[[nodiscard]] bool hides_name(std::string_view name);
/// Whether any name may be hidden: false saves the walk through all names.
[[nodiscard]] bool hides_names() noexcept;

/// The number of items that the policy for values allows of each container.
[[nodiscard]] std::size_t sampled_items(std::size_t items) noexcept;

/// Whether a value must be masked because of the name under which it was found.
[[nodiscard]] bool masks_value(PyObject* name, PyObject* value);
[[nodiscard]] bool masks_value(std::string_view name, PyObject* value);
/// Whether values under this name are masked, for readers that have no object.
[[nodiscard]] bool masks_name(std::string_view name);
/// Whether a value must be masked because the expression of the call names a secret.
[[nodiscard]] bool masks_result(PyObject* value);
/// Whether the expression of the call names a secret, for readers that have no object.
[[nodiscard]] bool masks_results() noexcept;

/// A value that was printed earlier, as the rules of now show it: a mark if the name says that it is a secret, and cut for a sample.
[[nodiscard]] std::string shown_text(std::string_view name, std::string_view printed);

/// Takes the place of a value whose name says that it is a secret.
inline constexpr std::string_view named_secret_mark = "'***(named like a secret)'";

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
