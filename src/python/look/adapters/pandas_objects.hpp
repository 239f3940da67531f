#pragma once
#include "python/look/adapters/cells.hpp"
#include "python/look/static_lookup.hpp"

#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

// The structure of pandas objects, from 1.5 to 2.2. It is read from their instance dicts and from the fields of pandas' C classes. No
// Python function of pandas is called, so a replaced or forged class cannot run code here.

enum class pandas_kind : unsigned char { none, frame, series, index, array, timestamp, timedelta, not_a_time };

/// The kind of an object whose exact type is a class of the imported pandas.
[[nodiscard]] pandas_kind pandas_kind_of(PyObject* object);

/// One column, index or extension array: its values as numpy arrays.
struct pandas_values {
    ref owner = {};  ///< the array that pandas holds: an ndarray or an extension array
    std::string dtype = {};
    ref data = {};        ///< an exact ndarray of one dimension; null if the layout is unknown. Codes, if `categories` is set.
    ref mask = {};        ///< an exact ndarray of bools: true = missing; or null
    ref categories = {};  ///< the index of the categories; or null

    [[nodiscard]] std::optional<cells> data_cells() const;
    [[nodiscard]] cell_statistics statistics(Py_ssize_t max_cells) const;
    /// The value at a position as a short text.
    [[nodiscard]] std::string text_at(const cells& data, Py_ssize_t position) const;
    /// The first values: `a, b, ...`.
    [[nodiscard]] std::string first(Py_ssize_t count) const;
    [[nodiscard]] json samples(Py_ssize_t count) const;
};

/// Reads an ndarray or an extension array.
[[nodiscard]] pandas_values values_of_array(PyObject* array);

/// Reads an index that is neither a RangeIndex nor a MultiIndex.
[[nodiscard]] pandas_values values_of_index(PyObject* index);

/// The numbers of a RangeIndex; `nullopt` for other objects.
struct index_range {
    std::int64_t start = 0;
    std::int64_t step = 1;
    std::int64_t length = 0;
};
[[nodiscard]] std::optional<index_range> range_of_index(PyObject* index);

[[nodiscard]] std::optional<std::int64_t> index_length(PyObject* index);

/// `index[position]`: a scalar, or a tuple for a MultiIndex. Null if it cannot be read.
[[nodiscard]] ref index_item(PyObject* index, std::int64_t position);

/// The label at a position as a short text.
[[nodiscard]] std::string index_label(PyObject* index, std::int64_t position);

/// Finds a label among the items of an index: its position, or `missing`, or `needs_code` if the labels cannot be compared without code or
/// are not unique.
struct label_search {
    lookup::kind what = lookup::kind::missing;
    std::int64_t position = 0;
    std::string why = {};
};
[[nodiscard]] label_search find_label(PyObject* index, PyObject* label);

/// Whether looking an integer label up in this index is the same as looking up a position, or fails.
[[nodiscard]] bool positions_are_safe(PyObject* index);

/// The parts of a DataFrame.
struct frame_parts {
    ref rows;     ///< an index
    ref columns;  ///< an index
    std::int64_t row_count = 0;
    std::int64_t column_count = 0;
    ref blocks;  ///< a tuple

    /// The values of a column. Empty if it cannot be read.
    [[nodiscard]] std::optional<pandas_values> column(std::int64_t position) const;
};
[[nodiscard]] std::optional<frame_parts> parts_of_frame(PyObject* frame);

/// The parts of a Series.
struct series_parts {
    ref rows;
    ref name;
    pandas_values values;
    std::int64_t length = 0;
};
[[nodiscard]] std::optional<series_parts> parts_of_series(PyObject* series);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
