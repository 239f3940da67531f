#include "python/look/adapters/families.hpp"
#include "python/look/adapters/numpy_objects.hpp"
#include "python/look/adapters/pandas_objects.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::int64_t max_sample_rows = 5;
constexpr std::int64_t listed_columns = 5;

adapted_text unknown_layout(PyObject* object) {
    return {.head = "<" + name_of(Py_TYPE(object)).name + " object of an unknown layout>"};
}

lookup of_integer(std::int64_t value) {
    return lookup::of(ref::steal(PyLong_FromLongLong(value)));
}

lookup of_shape(std::initializer_list<std::int64_t> shape) {
    ref tuple = ref::steal(PyTuple_New(static_cast<Py_ssize_t>(shape.size())));
    Py_ssize_t at = 0;
    for (const std::int64_t each : shape) {
        ref length = ref::steal(PyLong_FromLongLong(each));
        if (!tuple || !length) {
            return {};
        }
        PyTuple_SET_ITEM(tuple.get(), at++, length.release());
    }
    return lookup::of(std::move(tuple));
}

lookup of_bool(bool value) {
    return lookup::of(ref::share(value ? Py_True : Py_False));
}

lookup of_array(const pandas_values& values) {
    return values.owner ? lookup::of(values.owner) : lookup::refused("the values have an unknown layout");
}

std::string name_text(const ref& name) {
    return !name || name.get() == Py_None ? std::string() : " " + scalar_object_text(name.get());
}

json labels(PyObject* index, std::int64_t count) {
    json texts = json::array();
    for (std::int64_t i = 0; i < std::min(count, index_length(index).value_or(0)); ++i) {
        texts.push_back(index_label(index, i));
    }
    return texts;
}

std::string first_labels(PyObject* index, std::int64_t count) {
    std::string text;
    for (const json& each : labels(index, count)) {
        text += (text.empty() ? "" : ", ") + std::string(*as_string(each));
    }
    return text + (index_length(index).value_or(0) > count ? ", ..." : "");
}

std::string index_dtype(PyObject* index) {
    return range_of_index(index) ? "int64" : own_attribute(index, "_levels") ? "object" : values_of_index(index).dtype;
}

/// What an index is, in one line: `RangeIndex 0 to 9`, `DatetimeIndex of 5 datetime64[ns]: ...`.
std::string index_facts(PyObject* index) {
    const std::int64_t length = index_length(index).value_or(0);
    std::string text = name_of(Py_TYPE(index)).name + " of " + std::to_string(length);
    if (const std::optional<index_range> range = range_of_index(index)) {
        const bool plain = range->start == 0 && range->step == 1;
        return text + (plain ? "" : ": " + first_labels(index, 3));
    }
    return text + " " + index_dtype(index) + ": " + first_labels(index, 3);
}

// DataFrames

lookup frame_column(const frame_parts& parts, PyObject* label) {
    const label_search found = find_label(parts.columns.get(), label);
    if (found.what != lookup::kind::found) {
        return {.what = found.what, .why = found.why};
    }
    if (!positions_are_safe(parts.rows.get())) {
        return lookup::refused("a column is read as an array, and the integer labels of the rows are not their positions");
    }
    const std::optional<pandas_values> values = parts.column(found.position);
    return values ? of_array(*values) : lookup::refused("the column has an unknown layout");
}

std::string frame_columns(const frame_parts& parts, std::int64_t count) {
    std::string text;
    for (std::int64_t i = 0; i < std::min(count, parts.column_count); ++i) {
        const std::optional<pandas_values> values = parts.column(i);
        text += (i == 0 ? "" : ", ") + index_label(parts.columns.get(), i) + " " + (values ? values->dtype : std::string("?"));
    }
    return text + (parts.column_count > count ? ", ... " + std::to_string(parts.column_count - count) + " more" : "");
}

adapted_text frame_text(PyObject* object, std::size_t) {
    const std::optional<frame_parts> parts = parts_of_frame(object);
    if (!parts) {
        return unknown_layout(object);
    }
    return {.head = "<DataFrame " + pyaichat::detail::counted(parts->row_count, "row") + " x " +
                    pyaichat::detail::counted(parts->column_count, "column") + ": " + frame_columns(*parts, listed_columns) + ">"};
}

json frame_details(PyObject* object, const inspect_options& options) {
    const std::optional<frame_parts> parts = parts_of_frame(object);
    if (!parts) {
        return nullptr;
    }
    const auto shown = std::min(static_cast<std::int64_t>(options.rows), parts->column_count);
    const Py_ssize_t budget = details_cells / std::max<std::int64_t>(shown, 1);
    const std::int64_t sample_rows = std::min(max_sample_rows, static_cast<std::int64_t>(options.rows));
    json columns = json::array();
    for (std::int64_t i = 0; i < shown; ++i) {
        json column = json::object();
        if (const std::optional<pandas_values> values = parts->column(i)) {
            column = values->statistics(budget).facts();
            column["dtype"] = values->dtype;
            column["samples"] = values->samples(sample_rows);
            if (values->categories) {
                column["categories"] = index_length(values->categories.get()).value_or(0);
            }
        }
        column["name"] = index_label(parts->columns.get(), i);
        columns.push_back(std::move(column));
    }
    json facts = json::object({{"shape", {parts->row_count, parts->column_count}},
                               {"columns", std::move(columns)},
                               {"columns_total", parts->column_count},
                               {"index", index_facts(parts->rows.get())}});
    if (parts->row_count > sample_rows) {
        facts["samples_left_out"] = parts->row_count - sample_rows;
        facts["note"] = "samples are the first rows; read a column as df[\"name\"][position]";
    }
    if (parts->column_count > shown) {
        facts["columns_left_out"] = parts->column_count - shown;
        facts["more_columns"] = "ask for more rows (one per column), or look at df.columns[position]";
    }
    return facts;
}

std::optional<std::int64_t> frame_length(PyObject* object) {
    const std::optional<frame_parts> parts = parts_of_frame(object);
    return parts ? std::optional(parts->row_count) : std::nullopt;
}

/// Whether the class or the object has an attribute of this name, which hides a column.
bool is_hidden_by_attribute(PyObject* object, const std::string& name) {
    return find_in_mro(Py_TYPE(object), name.c_str()) || own_attribute(object, name.c_str());
}

std::optional<lookup> frame_attribute(PyObject* object, std::string_view name) {
    const std::optional<frame_parts> parts = parts_of_frame(object);
    if (!parts) {
        return std::nullopt;
    }
    if (name == "shape") {
        return of_shape({parts->row_count, parts->column_count});
    }
    if (name == "columns" || name == "index") {
        return lookup::of(name == "columns" ? parts->columns : parts->rows);
    }
    if (name == "size" || name == "ndim") {
        return of_integer(name == "size" ? parts->row_count * parts->column_count : 2);
    }
    if (name == "empty") {
        return of_bool(parts->row_count == 0 || parts->column_count == 0);
    }
    if (is_hidden_by_attribute(object, std::string(name))) {
        return std::nullopt;
    }
    const ref label = to_python(name);
    lookup column = label ? frame_column(*parts, label.get()) : lookup{};
    return column;
}

std::optional<lookup> frame_item(PyObject* object, PyObject* key) {
    const std::optional<frame_parts> parts = parts_of_frame(object);
    return parts ? std::optional(frame_column(*parts, key)) : std::nullopt;
}

// Series, indexes and extension arrays

/// Adds facts about the values of one column.
void add_values(const pandas_values& values, std::int64_t length, const inspect_options& options, json& facts) {
    const auto shown = static_cast<Py_ssize_t>(std::min<std::size_t>(options.rows, 10));
    facts.update(values.statistics(details_cells).facts());
    facts["dtype"] = values.dtype;
    facts["samples"] = values.samples(shown);
    if (length > shown) {
        facts["samples_left_out"] = length - shown;
        facts["note"] = "samples are the first values";
    }
    if (values.categories) {
        facts["categories"] = labels(values.categories.get(), static_cast<std::int64_t>(options.columns));
        facts["categories_total"] = index_length(values.categories.get()).value_or(0);
    }
}

std::string values_summary(const pandas_values& values, Py_ssize_t sample) {
    const std::string facts = values.statistics(summary_cells).text();
    const std::string first = values.first(sample);
    return values.dtype + (facts.empty() ? "" : ", " + facts) + (first.empty() ? "" : ": " + first);
}

adapted_text series_text(PyObject* object, std::size_t) {
    const std::optional<series_parts> parts = parts_of_series(object);
    return parts ? adapted_text{.head = "<Series" + name_text(parts->name) + " of " + std::to_string(parts->length) + " " +
                                        parts->values.dtype + ": " + parts->values.first(5) + ">"}
                 : unknown_layout(object);
}

std::string series_summary(PyObject* object) {
    const std::optional<series_parts> parts = parts_of_series(object);
    return parts ? "Series" + name_text(parts->name) + " of " + std::to_string(parts->length) + " " + values_summary(parts->values, 3)
                 : unknown_layout(object).head;
}

json series_details(PyObject* object, const inspect_options& options) {
    const std::optional<series_parts> parts = parts_of_series(object);
    if (!parts) {
        return nullptr;
    }
    json facts = json::object({{"length", parts->length}, {"index", index_facts(parts->rows.get())}});
    facts["name"] = scalar_object_text(parts->name.get());
    add_values(parts->values, parts->length, options, facts);
    return facts;
}

std::optional<std::int64_t> series_length(PyObject* object) {
    const std::optional<series_parts> parts = parts_of_series(object);
    return parts ? std::optional(parts->length) : std::nullopt;
}

/// Attributes that a Series, an index and an extension array have in common.
std::optional<lookup> values_attribute(const pandas_values& values, std::int64_t length, std::string_view name) {
    if (name == "shape") {
        return of_shape({length});
    }
    if (name == "size" || name == "ndim") {
        return of_integer(name == "size" ? length : 1);
    }
    if (name == "empty") {
        return of_bool(length == 0);
    }
    if (name == "values" || name == "array") {
        return of_array(values);
    }
    if (name == "dtype" && values.data && is_ndarray(values.owner.get())) {
        return lookup::of(c_field(values.owner.get(), "numpy.ndarray", "dtype"));
    }
    return std::nullopt;
}

std::optional<lookup> series_attribute(PyObject* object, std::string_view name) {
    const std::optional<series_parts> parts = parts_of_series(object);
    if (!parts) {
        return std::nullopt;
    }
    if (name == "index" || name == "name") {
        return lookup::of(name == "index" ? parts->rows : parts->name ? parts->name : ref::share(Py_None));
    }
    return values_attribute(parts->values, parts->length, name);
}

/// `array[position]` of values that pandas holds. Times are numpy's.
lookup item_of_values(const pandas_values& values, std::int64_t position) {
    const std::optional<cells> data = values.data_cells();
    if (!data) {
        return lookup::refused("the values have an unknown layout");
    }
    position += position < 0 ? data->size() : 0;
    if (position < 0 || position >= data->size()) {
        return {};
    }
    const std::optional<cells> mask = values.mask ? numpy_cells(values.mask.get()) : std::nullopt;
    const std::optional<std::int64_t> code = values.categories ? cell_integer(data->type(), data->at(position)) : std::nullopt;
    if ((mask && *mask->at(position) != 0) || (code && *code < 0)) {
        return lookup::refused("the value is missing");
    }
    return lookup::of(code ? index_item(values.categories.get(), *code) : ndarray_item(values.data.get(), position));
}

std::optional<lookup> series_item(PyObject* object, PyObject* key) {
    const std::optional<series_parts> parts = parts_of_series(object);
    if (!parts) {
        return std::nullopt;
    }
    const label_search found = find_label(parts->rows.get(), key);
    return found.what == lookup::kind::found ? item_of_values(parts->values, found.position) : lookup{.what = found.what, .why = found.why};
}

adapted_text index_text(PyObject* object, std::size_t) {
    return index_length(object) ? adapted_text{.head = "<" + index_facts(object) + ">"} : unknown_layout(object);
}

std::string index_summary(PyObject* object) {
    return index_length(object) ? index_facts(object) : unknown_layout(object).head;
}

json index_details(PyObject* object, const inspect_options& options) {
    const std::optional<std::int64_t> length = index_length(object);
    if (!length) {
        return nullptr;
    }
    json facts = json::object({{"length", *length}, {"dtype", index_dtype(object)}});
    if (const pandas_values values = values_of_index(object); values.data) {
        add_values(values, *length, options, facts);
    } else {
        const auto shown = static_cast<std::int64_t>(std::min<std::size_t>(options.rows, 10));
        facts["samples"] = labels(object, shown);
        facts["samples_left_out"] = std::max<std::int64_t>(*length - shown, 0);
    }
    if (const std::optional<index_range> range = range_of_index(object)) {
        facts["start"] = range->start;
        facts["step"] = range->step;
    }
    return facts;
}

std::optional<lookup> index_attribute(PyObject* object, std::string_view name) {
    const std::optional<std::int64_t> length = index_length(object);
    if (!length) {
        return std::nullopt;
    }
    if (name == "name") {
        const ref own = own_attribute(object, "_name");
        return lookup::of(own ? own : ref::share(Py_None));
    }
    if (range_of_index(object) && (name == "start" || name == "step")) {
        const index_range range = *range_of_index(object);
        return of_integer(name == "start" ? range.start : range.step);
    }
    const pandas_values values = values_of_index(object);
    return !values.owner && (name == "values" || name == "array") ? std::nullopt : values_attribute(values, *length, name);
}

std::optional<lookup> index_item_of(PyObject* object, PyObject* key) {
    if (!PyLong_CheckExact(key)) {
        return lookup{.what = lookup::kind::unfit, .why = "an index is indexed by a position"};
    }
    const Py_ssize_t position = PyLong_AsSsize_t(key);
    PyErr_Clear();
    const std::optional<std::int64_t> length = index_length(object);
    if (!length) {
        return std::nullopt;
    }
    const bool inside = position < *length && position >= -*length;
    const ref item = inside ? index_item(object, position) : ref();
    return item || !inside ? lookup::of(item) : lookup::refused("the label has an unknown layout");
}

adapted_text array_of_pandas_text(PyObject* object, std::size_t) {
    const pandas_values values = values_of_array(object);
    const std::optional<cells> data = values.data_cells();
    const std::string name = name_of(Py_TYPE(object)).name;
    return {.head = "<" + name + (data ? " of " + std::to_string(data->size()) + " " + values.dtype + ": " + values.first(5) : " object") +
                    ">"};
}

std::string array_of_pandas_summary(PyObject* object) {
    const pandas_values values = values_of_array(object);
    const std::optional<cells> data = values.data_cells();
    return data ? name_of(Py_TYPE(object)).name + " of " + std::to_string(data->size()) + " " + values_summary(values, 3)
                : array_of_pandas_text(object, 0).head;
}

std::optional<std::int64_t> array_of_pandas_length(PyObject* object) {
    const std::optional<cells> data = values_of_array(object).data_cells();
    return data ? std::optional<std::int64_t>(data->size()) : std::nullopt;
}

json array_of_pandas_details(PyObject* object, const inspect_options& options) {
    const std::optional<std::int64_t> length = array_of_pandas_length(object);
    if (!length) {
        return nullptr;
    }
    json facts = json::object({{"length", *length}});
    add_values(values_of_array(object), *length, options, facts);
    return facts;
}

std::optional<lookup> array_of_pandas_attribute(PyObject* object, std::string_view name) {
    const std::optional<std::int64_t> length = array_of_pandas_length(object);
    const bool known = length && name != "values" && name != "array" && name != "empty";
    return known ? values_attribute(values_of_array(object), *length, name) : std::nullopt;
}

std::optional<lookup> array_of_pandas_item(PyObject* object, PyObject* key) {
    if (!PyLong_CheckExact(key)) {
        return lookup{.what = lookup::kind::unfit, .why = "an array is indexed by a position"};
    }
    const Py_ssize_t position = PyLong_AsSsize_t(key);
    PyErr_Clear();
    return item_of_values(values_of_array(object), position);
}

// Scalars

adapted_text scalar_of_pandas_text(PyObject* object, std::size_t) {
    const bool is_time = pandas_kind_of(object) == pandas_kind::timestamp;
    const char* base = is_time ? "pandas._libs.tslibs.timestamps._Timestamp" : "pandas._libs.tslibs.timedeltas._Timedelta";
    const ref ticks = [&] {
        ref value = c_field(object, base, "_value");  // pandas 2
        return value ? value : c_field(object, base, "value");
    }();
    const ref resolution = [&] {
        ref unit = c_field(object, base, "_creso");
        return unit ? unit : c_field(object, base, "_reso");
    }();
    if (!ticks || !PyLong_CheckExact(ticks.get()) || !resolution || !PyLong_CheckExact(resolution.get())) {
        return unknown_layout(object);
    }
    // The numbers of numpy's enumeration of units.
    const long unit = PyLong_AsLong(resolution.get());
    cell_type type{.kind = is_time ? 'M' : 'm', .width = 8};
    type.unit = unit == 7 ? "s" : unit == 8 ? "ms" : unit == 9 ? "us" : "ns";
    const std::int64_t value = PyLong_AsLongLong(ticks.get());
    if (!is_time) {
        return {.head = "Timedelta('" + duration_text(value, type) + "')"};
    }
    const ref zone = c_field(object, "datetime.datetime", "tzinfo");
    adapted_text text{.head = "Timestamp('" + time_text(value, type)};
    if (zone && zone.get() != Py_None) {
        text.head += "Z', ";  // pandas stores UTC
        text.parts.push_back({"tz=", zone});
        text.tail = ")";
    } else {
        text.head += "')";
    }
    return text;
}

adapted_text not_a_time_text(PyObject*, std::size_t) {
    return {.head = "NaT"};
}

constexpr std::array<std::string_view, 5> frame_shown = {"shape", "columns", "index", "size", "empty"};
constexpr std::array<std::string_view, 6> series_shown = {"shape", "dtype", "name", "index", "size", "values"};
constexpr std::array<std::string_view, 4> index_shown = {"shape", "dtype", "name", "size"};
constexpr std::array<std::string_view, 2> array_of_pandas_shown = {"shape", "size"};

constexpr adapter frame_adapter = {.text = &frame_text,
                                   .details = &frame_details,
                                   .length = &frame_length,
                                   .attribute = &frame_attribute,
                                   .item = &frame_item,
                                   .shown = frame_shown};
constexpr adapter series_adapter = {.text = &series_text,
                                    .summary = &series_summary,
                                    .details = &series_details,
                                    .length = &series_length,
                                    .attribute = &series_attribute,
                                    .item = &series_item,
                                    .shown = series_shown};
constexpr adapter index_adapter = {.text = &index_text,
                                   .summary = &index_summary,
                                   .details = &index_details,
                                   .length = &index_length,
                                   .attribute = &index_attribute,
                                   .item = &index_item_of,
                                   .shown = index_shown};
constexpr adapter array_of_pandas_adapter = {.text = &array_of_pandas_text,
                                             .summary = &array_of_pandas_summary,
                                             .details = &array_of_pandas_details,
                                             .length = &array_of_pandas_length,
                                             .attribute = &array_of_pandas_attribute,
                                             .item = &array_of_pandas_item,
                                             .shown = array_of_pandas_shown};
constexpr adapter scalar_of_pandas_adapter = {.text = &scalar_of_pandas_text};
constexpr adapter not_a_time_adapter = {.text = &not_a_time_text};

}  // namespace

const adapter* find_pandas_adapter(PyObject* object) {
    switch (pandas_kind_of(object)) {
        case pandas_kind::frame: return &frame_adapter;
        case pandas_kind::series: return &series_adapter;
        case pandas_kind::index: return &index_adapter;
        case pandas_kind::array: return &array_of_pandas_adapter;
        case pandas_kind::timestamp:
        case pandas_kind::timedelta: return &scalar_of_pandas_adapter;
        case pandas_kind::not_a_time: return &not_a_time_adapter;
        case pandas_kind::none: break;
    }
    return nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
