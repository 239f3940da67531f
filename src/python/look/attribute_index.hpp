#pragma once
#include "python/look/static_lookup.hpp"

#include <deque>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// An attribute's name, and where it was found. Borrowed from the dicts of the index.
struct attribute_place {
    PyObject* name;     ///< an exact string
    PyObject* in_type;  ///< its value in the classes of the object's type, or null
    PyObject* own;      ///< its value in the object's dict, or for a class in its own classes; or null
    bool listed;        ///< a name of the object. The names that a class has from its metaclass are not listed.
};

/// The attributes of an object, found in one pass over its dict and its classes. A lookup of each name would take quadratic time. Hidden
/// names are left out.
class attribute_index {
public:
    /// The number of dict entries that are read of the type's classes, and as many of the object.
    static constexpr std::size_t max_entries = 100'000;
    /// Longer names are left out.
    static constexpr Py_ssize_t max_name_length = 1000;

    explicit attribute_index(PyObject* object);

    /// The listed names, in no order.
    [[nodiscard]] const std::vector<attribute_place>& places() const noexcept { return places_; }
    /// Whether no name was left out because of a bound.
    [[nodiscard]] bool complete() const noexcept { return complete_; }

    /// The order of listings: public names, then `_name`, then `__name__`, each group sorted.
    [[nodiscard]] static bool before(const attribute_place& left, const attribute_place& right);
    [[nodiscard]] static int group_of(PyObject* name);

private:
    [[nodiscard]] std::string_view text_of(PyObject* name);
    template <class Add>
    void walk(const std::vector<ref>& dicts, Add add);

    std::vector<ref> type_dicts_;
    std::vector<ref> own_dicts_;
    std::deque<std::string> other_names_;
    std::unordered_map<std::string_view, std::size_t> positions_;
    std::vector<attribute_place> places_;
    bool complete_ = true;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
