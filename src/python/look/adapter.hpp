#pragma once
#include "python/look/object_facts.hpp"
#include "python/look/static_lookup.hpp"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// Adapters know the layout of the objects of well-known types and describe them better than their bare structure does.
//
// An adapter runs no Python code. It reads instance dicts, slots and memory, and calls C functions of exact C types only. A class is known
// by identity (`is_class_of`) or, if it is a C class, by its name; every object that it holds is checked in the same way before it is read.
//
// To support another library, add one file under `adapters/` with a `find` function, and one line to the table in `adapter.cpp`.

/// The text of an object: values between a beginning and an end, such as `deque([`, the items, `], maxlen=3)`. The caller prints the
/// values.
struct adapted_text {
    struct part {
        std::string label = {};  ///< before the value: `x=`
        ref value = {};
    };
    std::string head = {};
    std::vector<part> parts = {};
    std::size_t left_out = 0;  ///< values that are not in `parts`
    std::string tail = {};
};

/// How to describe the objects of one type. Members that are null or empty are left to the structure of the object. The functions may
/// assume that `find_adapter` returned the adapter for the object. They leave no Python error set.
struct adapter {
    /// The text in prints, with at most `max_parts` values.
    adapted_text (*text)(PyObject* object, std::size_t max_parts) = nullptr;
    /// One line for a listing, with the facts first. Null: the text.
    std::string (*summary)(PyObject* object) = nullptr;
    /// The member `details` of `inspect`: an object, or null.
    json (*details)(PyObject* object, const inspect_options& options) = nullptr;
    std::optional<std::int64_t> (*length)(PyObject* object) = nullptr;
    /// `object.name`; `nullopt`: look it up in the structure.
    std::optional<lookup> (*attribute)(PyObject* object, std::string_view name) = nullptr;
    /// `object[key]`, where `key` is made of exact literals; `nullopt`: look it up in the structure.
    std::optional<lookup> (*item)(PyObject* object, PyObject* key) = nullptr;
    /// The attributes that `inspect` shows. Empty: those of the structure.
    std::span<const std::string_view> shown = {};
};

/// Returns the adapter for an object, or null. Cheap for objects without one.
[[nodiscard]] const adapter* find_adapter(PyObject* object);

class host_adapters;

/// Notes whether an adapter was used while it lives, on its thread, and makes the types of a host known. Scopes may nest.
class adapter_use {
public:
    explicit adapter_use(const host_adapters* host = nullptr);
    ~adapter_use();
    adapter_use(const adapter_use&) = delete;
    adapter_use& operator=(const adapter_use&) = delete;

    /// Whether `find_adapter` has found an adapter: the result is of tier 1.
    [[nodiscard]] bool used() const noexcept { return used_; }

    /// The types of the host; null if there are none.
    [[nodiscard]] static const host_adapters* host() noexcept;

private:
    friend const adapter* find_adapter(PyObject* object);
    adapter_use* outer_;
    const host_adapters* host_;
    bool used_ = false;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
