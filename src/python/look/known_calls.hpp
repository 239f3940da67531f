#pragma once
#include "python/look/allowed_calls.hpp"

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// One call of a function that is known. The functions below return its value, or null after a failure.
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

// Calls that read items (calls_on_items.cpp).
ref call_len(const known_call& call);
ref call_sum(const known_call& call);
/// `min` and `max`.
ref call_extreme(const known_call& call);
ref call_sorted(const known_call& call);
ref call_any(const known_call& call);
ref call_all(const known_call& call);
looked_value call_enumerate(const known_call& call);
looked_value call_zip(const known_call& call);
looked_value call_reversed(const known_call& call);

// Calls that build containers (calls_of_containers.cpp).
ref call_list(const known_call& call);
ref call_tuple(const known_call& call);
/// `set` and `frozenset`.
ref call_set(const known_call& call);
ref call_dict(const known_call& call);
ref call_bytes(const known_call& call);

// Calls about classes and attributes (calls_on_objects.cpp).
ref call_isinstance(const known_call& call);
ref call_issubclass(const known_call& call);
ref call_type(const known_call& call);
ref call_id(const known_call& call);
ref call_callable(const known_call& call);
ref call_bool(const known_call& call);
ref call_hasattr(const known_call& call);
ref call_getattr(const known_call& call);

// Calls on numbers and text (calls_on_scalars.cpp).
ref call_text(const known_call& call);
ref call_repr(const known_call& call);
ref call_ascii(const known_call& call);
ref call_format(const known_call& call);
/// Functions and types for scalars, which need no check of sizes.
ref call_plain(const known_call& call);
/// `bin`, `oct`, `hex`.
ref call_digits(const known_call& call);
ref call_int(const known_call& call);
ref call_round(const known_call& call);
ref call_pow(const known_call& call);
ref call_divmod(const known_call& call);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
