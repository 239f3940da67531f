#pragma once
#include "python/python_api.hpp"

#include <pyaichat/core/json.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The type of a cell in an array's memory, in the terms of numpy.
struct cell_type {
    char kind = 'V';                     ///< b i u f c M m S U O V, as in numpy's array interface
    Py_ssize_t width = 0;                ///< in bytes
    bool swapped = false;                ///< in the byte order of another machine
    std::string unit = {};               ///< of `M` and `m`: `ns`; empty for a generic one
    std::int64_t scale = 1;              ///< units in one step of `M` and `m`
    std::vector<cell_type> fields = {};  ///< of a structured type: the first ones
    std::size_t fields_total = 0;
    std::string label = {};  ///< of a field: its name
    Py_ssize_t offset = 0;   ///< of a field: its place in the cell

    /// `float64`, `datetime64[ns]`, `{x: float64, y: int32}`.
    [[nodiscard]] std::string name() const;
};

/// Reads an exact numpy dtype; kind `V` of width 0 if the object is not one.
[[nodiscard]] cell_type cell_type_of(PyObject* dtype, int depth = 0);

/// Reads a format of the `struct` module with one native code, such as `d`; kind `V` for others.
[[nodiscard]] cell_type cell_type_of(std::string_view format, Py_ssize_t width);

/// An exact built-in scalar as a short text; of any other object, or null, only the type. Never prints what an object contains, so it
/// cannot lead back to the object that is being described.
[[nodiscard]] std::string scalar_object_text(PyObject* object);

/// The cell at an address as a short text. Python objects are printed by `scalar_object_text`.
[[nodiscard]] std::string cell_text(const cell_type& type, const char* address);

/// The integer at an address; `nullopt` for other kinds and if it does not fit.
[[nodiscard]] std::optional<std::int64_t> cell_integer(const cell_type& type, const char* address);

/// The object in a cell of kind `O`. Borrowed, or null.
[[nodiscard]] PyObject* cell_object(const char* address);

/// Whether a Python object in a cell means "no value": None, NaN, NaT, NA.
[[nodiscard]] bool is_missing_object(PyObject* object);

/// A float with the digits that identify it, or with `digits` significant ones.
[[nodiscard]] std::string float_text(double value, int digits = 0);

/// A time of numpy's `datetime64`: `2024-05-06T07:08:09`; NaT for the least integer.
[[nodiscard]] std::string time_text(std::int64_t ticks, const cell_type& type);
/// A duration of numpy's `timedelta64`: `3 days 04:05:06`, or `7 ps`.
[[nodiscard]] std::string duration_text(std::int64_t ticks, const cell_type& type);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
