#include "python/look/adapters/families.hpp"
#include "python/look/adapters/numpy_objects.hpp"
#include "python/look/adapters/pandas_facts.hpp"
#include "python/look/trusted_type.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

std::string name_text(const ref& name) {
    return !name || name.get() == Py_None ? std::string() : " " + scalar_object_text(name.get());
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
        facts["categories"] = index_labels(values.categories.get(), static_cast<std::int64_t>(options.columns));
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
    const bool masked = mask && *mask->at(position) != 0;
    if (!values.categories) {
        return masked ? lookup::refused("the value is missing") : lookup::of(ndarray_item(values.data.get(), position));
    }
    const std::int64_t code = cell_integer(data->type(), data->at(position)).value_or(-1);
    return code < 0 ? lookup::refused("the value is missing") : lookup::of(index_item(values.categories.get(), code));
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
        facts["samples"] = index_labels(object, shown);
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

constexpr std::array<std::string_view, 6> series_shown = {"shape", "dtype", "name", "index", "size", "values"};
constexpr std::array<std::string_view, 4> index_shown = {"shape", "dtype", "name", "size"};
constexpr std::array<std::string_view, 2> array_of_pandas_shown = {"shape", "size"};

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
        case pandas_kind::frame: return &frame_adapter();
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
