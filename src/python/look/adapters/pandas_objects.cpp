#include "python/look/adapters/pandas_objects.hpp"

#include "python/look/adapters/families.hpp"
#include "python/look/adapters/numpy_objects.hpp"
#include "python/look/trusted_type.hpp"

#include <algorithm>
#include <array>
#include <span>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

struct pandas_class {
    std::string_view name;
    const char* module;
    pandas_kind kind;
};

constexpr std::array<pandas_class, 28> pandas_classes = {{
    {"DataFrame", "pandas.core.frame", pandas_kind::frame},
    {"Series", "pandas.core.series", pandas_kind::series},
    {"Index", "pandas.core.indexes.base", pandas_kind::index},
    {"RangeIndex", "pandas.core.indexes.range", pandas_kind::index},
    {"Int64Index", "pandas.core.indexes.numeric", pandas_kind::index},
    {"UInt64Index", "pandas.core.indexes.numeric", pandas_kind::index},
    {"Float64Index", "pandas.core.indexes.numeric", pandas_kind::index},
    {"DatetimeIndex", "pandas.core.indexes.datetimes", pandas_kind::index},
    {"TimedeltaIndex", "pandas.core.indexes.timedeltas", pandas_kind::index},
    {"PeriodIndex", "pandas.core.indexes.period", pandas_kind::index},
    {"CategoricalIndex", "pandas.core.indexes.category", pandas_kind::index},
    {"IntervalIndex", "pandas.core.indexes.interval", pandas_kind::index},
    {"MultiIndex", "pandas.core.indexes.multi", pandas_kind::index},
    {"Categorical", "pandas.core.arrays.categorical", pandas_kind::array},
    {"DatetimeArray", "pandas.core.arrays.datetimes", pandas_kind::array},
    {"TimedeltaArray", "pandas.core.arrays.timedeltas", pandas_kind::array},
    {"PeriodArray", "pandas.core.arrays.period", pandas_kind::array},
    {"IntervalArray", "pandas.core.arrays.interval", pandas_kind::array},
    {"StringArray", "pandas.core.arrays.string_", pandas_kind::array},
    {"PandasArray", "pandas.core.arrays.numpy_", pandas_kind::array},
    {"NumpyExtensionArray", "pandas.core.arrays.numpy_", pandas_kind::array},
    {"IntegerArray", "pandas.core.arrays.integer", pandas_kind::array},
    {"FloatingArray", "pandas.core.arrays.floating", pandas_kind::array},
    {"BooleanArray", "pandas.core.arrays.boolean", pandas_kind::array},
    {"SparseArray", "pandas.core.arrays.sparse.array", pandas_kind::array},
    {"Timestamp", "pandas._libs.tslibs.timestamps", pandas_kind::timestamp},
    {"Timedelta", "pandas._libs.tslibs.timedeltas", pandas_kind::timedelta},
    {"NaTType", "pandas._libs.tslibs.nattype", pandas_kind::not_a_time},
}};

constexpr const char* array_base = "pandas._libs.arrays.NDArrayBacked";
constexpr const char* manager_base = "pandas._libs.internals.BlockManager";
// The C classes that have the fields of a block: until pandas 2.1, and since.
constexpr std::array placement_bases = {"pandas._libs.internals.SharedBlock", "pandas._libs.internals.Block"};
constexpr std::array values_bases = {"pandas._libs.internals.NumpyBlock", "pandas._libs.internals.NDArrayBackedBlock",
                                     "pandas._libs.internals.Block"};

/// The name of a time zone: `UTC`, `Europe/Paris`. Asks no adapter of pandas, because a forged zone may lead back to its owner.
std::string zone_text(PyObject* zone) {
    if (is_c_class(Py_TYPE(zone), "datetime.timezone")) {
        const std::string text = find_datetime_adapter(zone)->text(zone, 0).head;
        return text == "datetime.timezone.utc" ? "UTC" : text;
    }
    // zoneinfo keeps the name in the object, pytz in its class.
    for (const ref& name : {c_field(zone, "zoneinfo.ZoneInfo", "key"), own_attribute(zone, "zone"), find_in_mro(Py_TYPE(zone), "zone")}) {
        if (name && PyUnicode_CheckExact(name.get())) {
            return to_utf8(name.get());
        }
    }
    return scalar_object_text(zone);
}

/// The dtype that `NDArrayBacked` stores: a numpy dtype or an object of pandas.
std::string backed_dtype(PyObject* dtype, const pandas_values& values, const std::string& type) {
    const ref unit = own_attribute(dtype, "_unit");
    const ref zone = own_attribute(dtype, "_tz");
    if (unit && zone) {
        return "datetime64[" + text_or(unit.get()) + ", " + zone_text(zone.get()) + "]";
    }
    return type == "StringArray"   ? "string"
           : type == "PeriodArray" ? "period (ordinals)"
           : values.data_cells()   ? values.data_cells()->type().name()
                                   : type;
}

/// A row of an array of two dimensions with one row, or the array itself.
ref one_dimensional(ref array, Py_ssize_t row) {
    const std::optional<cells> shaped = array && is_ndarray(array.get()) ? numpy_cells(array.get()) : std::nullopt;
    if (!shaped || shaped->shape().size() == 1) {
        return shaped ? array : ref();
    }
    return shaped->shape().size() == 2 ? ndarray_item(array.get(), row) : ref();
}

pandas_values read_array(PyObject* array, Py_ssize_t row) {
    pandas_values values;
    if (is_ndarray(array)) {
        values.data = values.owner = one_dimensional(ref::share(array), row);
        const std::optional<cells> data = values.data_cells();
        values.dtype = data ? data->type().name() : "?";
        return values;
    }
    values.owner = ref::share(array);
    const std::string type = name_of(Py_TYPE(array)).name;
    values.dtype = type;
    if (pandas_kind_of(array) != pandas_kind::array) {
        return values;
    }
    if (ref backing = c_field(array, array_base, "_ndarray")) {
        const std::optional<cells> all = is_ndarray(backing.get()) ? numpy_cells(backing.get()) : std::nullopt;
        values.data = one_dimensional(std::move(backing), row);
        if (all && all->shape().size() == 2 && all->shape()[0] != 1) {
            values.owner = values.data;  // the array has several columns
        }
        const ref dtype = c_field(array, array_base, "_dtype");
        if (type == "Categorical") {
            const ref categories = dtype ? own_attribute(dtype.get(), "_categories") : ref();
            const bool known = categories && pandas_kind_of(categories.get()) == pandas_kind::index;
            values.categories = known ? categories : ref();
            values.data = known ? values.data : ref();
            values.dtype = "category";
        } else if (values.data && dtype) {
            values.dtype = backed_dtype(dtype.get(), values, type);
        }
    } else if (type == "IntegerArray" || type == "FloatingArray" || type == "BooleanArray") {
        values.data = one_dimensional(own_attribute(array, "_data"), row);
        values.mask = one_dimensional(own_attribute(array, "_mask"), row);
        const std::optional<cells> mask = values.mask ? numpy_cells(values.mask.get()) : std::nullopt;
        const std::optional<cells> data = values.data_cells();
        if (!data || !mask || mask->type().kind != 'b' || mask->size() != data->size()) {
            values.data = values.mask = ref();
        } else {
            std::string name = data->type().name();
            name[0] = static_cast<char>(name[0] >= 'a' && name[0] <= 'z' ? name[0] - 'a' + 'A' : name[0]);
            values.dtype = type == "BooleanArray" ? "boolean" : name.starts_with("Ui") ? "UI" + name.substr(2) : name;
        }
    }
    return values;
}

/// The field of the first base that has it.
ref first_field(PyObject* object, std::span<const char* const> bases, const char* name) {
    ref value;
    for (const char* base : bases) {
        value = value ? value : c_field(object, base, name);
    }
    return value;
}

/// The row of a block's array that has a column; -1 if the block does not have it, -2 if that cannot be read.
Py_ssize_t row_in_block(PyObject* block, std::int64_t column) {
    const ref placement = first_field(block, placement_bases, "_mgr_locs");
    const ref where = placement ? c_field(placement.get(), "pandas._libs.internals.BlockPlacement", "indexer") : ref();
    if (where && PySlice_Check(where.get())) {
        const auto* slice = reinterpret_cast<PySliceObject*>(where.get());
        if (!PyLong_CheckExact(slice->start) || !PyLong_CheckExact(slice->stop) ||
            (slice->step != Py_None && !PyLong_CheckExact(slice->step))) {
            return -2;
        }
        const auto start = static_cast<std::int64_t>(PyLong_AsSsize_t(slice->start));
        const auto stop = static_cast<std::int64_t>(PyLong_AsSsize_t(slice->stop));
        const auto step = slice->step == Py_None ? 1 : static_cast<std::int64_t>(PyLong_AsSsize_t(slice->step));
        const bool inside = step > 0 ? column >= start && column < stop : column <= start && column > stop;
        return step != 0 && inside && (column - start) % step == 0 ? static_cast<Py_ssize_t>((column - start) / step) : -1;
    }
    const std::optional<cells> places = where && is_ndarray(where.get()) ? numpy_cells(where.get()) : std::nullopt;
    for (Py_ssize_t i = 0; places && i < places->size(); ++i) {
        if (cell_integer(places->type(), places->at(i)) == column) {
            return i;
        }
    }
    return places ? -1 : -2;
}

/// The array of a block. Null if it cannot be read.
ref values_of_block(PyObject* block) {
    return first_field(block, values_bases, "values");
}

}  // namespace

pandas_kind pandas_kind_of(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    if ((type->tp_flags & Py_TPFLAGS_HEAPTYPE) == 0) {
        return pandas_kind::none;
    }
    const std::string_view name = type->tp_name;
    for (const pandas_class& each : pandas_classes) {
        if (each.name == name) {
            return is_class_of(type, each.module, type->tp_name) ? each.kind : pandas_kind::none;
        }
    }
    return pandas_kind::none;
}

std::optional<cells> pandas_values::data_cells() const {
    return data ? numpy_cells(data.get()) : std::nullopt;
}

cell_statistics pandas_values::statistics(Py_ssize_t max_cells) const {
    const std::optional<cells> numbers = data_cells();
    const std::optional<cells> missing = mask ? numpy_cells(mask.get()) : std::nullopt;
    if (!numbers) {
        return {};
    }
    if (!categories) {
        return statistics_of(*numbers, max_cells, missing ? &*missing : nullptr);
    }
    cell_statistics found;
    found.sampled = numbers->size() > max_cells;
    found.looked_at = std::min(numbers->size(), max_cells);
    for (Py_ssize_t i = 0; i < found.looked_at; ++i) {
        const auto at = found.sampled ? i * (numbers->size() / max_cells) : i;
        found.missing += cell_integer(numbers->type(), numbers->at(at)).value_or(-1) < 0 ? 1 : 0;
    }
    return found;
}

std::string pandas_values::text_at(const cells& data, Py_ssize_t position) const {
    const std::optional<cells> missing = mask ? numpy_cells(mask.get()) : std::nullopt;
    if (missing && *missing->at(position) != 0) {
        return "<NA>";
    }
    if (!categories) {
        return cell_text(data.type(), data.at(position));
    }
    const std::int64_t code = cell_integer(data.type(), data.at(position)).value_or(-1);
    // Categories of categories do not exist, and a forged class must not lead into a cycle.
    const bool flat = !values_of_index(categories.get()).categories;
    return code < 0 ? "NaN" : flat ? index_label(categories.get(), code) : "?";
}

std::string pandas_values::first(Py_ssize_t count) const {
    const std::optional<cells> all = data_cells();
    std::string text;
    for (Py_ssize_t i = 0; all && i < std::min(count, all->size()); ++i) {
        text += (i == 0 ? "" : ", ") + text_at(*all, i);
    }
    return text + (all && all->size() > count ? ", ..." : "");
}

json pandas_values::samples(Py_ssize_t count) const {
    const std::optional<cells> all = data_cells();
    json texts = json::array();
    for (Py_ssize_t i = 0; all && i < std::min(count, all->size()); ++i) {
        texts.push_back(text_at(*all, i));
    }
    return texts;
}

pandas_values values_of_array(PyObject* array) {
    return read_array(array, 0);
}

pandas_values values_of_index(PyObject* index) {
    const ref data = own_attribute(index, "_data");
    return data ? read_array(data.get(), 0) : pandas_values{};
}

std::optional<pandas_values> frame_parts::column(std::int64_t position) const {
    const Py_ssize_t count = PyTuple_GET_SIZE(blocks.get());
    for (Py_ssize_t i = 0; i < count; ++i) {
        // A frame that grew column by column has a block for each of them, in their order.
        PyObject* block = PyTuple_GET_ITEM(blocks.get(), (static_cast<Py_ssize_t>(position) + i) % count);
        const Py_ssize_t row = row_in_block(block, position);
        PyErr_Clear();
        if (row == -2) {
            return std::nullopt;
        }
        if (row >= 0) {
            const ref values = values_of_block(block);
            return values ? std::optional(read_array(values.get(), row)) : std::nullopt;
        }
    }
    return std::nullopt;
}

std::optional<frame_parts> parts_of_frame(PyObject* frame) {
    const ref manager = own_attribute(frame, "_mgr");
    const ref axes = manager ? c_field(manager.get(), manager_base, "axes") : ref();
    frame_parts parts;
    parts.blocks = manager ? c_field(manager.get(), manager_base, "blocks") : ref();
    if (!axes || !PyList_CheckExact(axes.get()) || PyList_GET_SIZE(axes.get()) != 2 || !parts.blocks ||
        !PyTuple_CheckExact(parts.blocks.get())) {
        return std::nullopt;
    }
    parts.columns = ref::share(PyList_GET_ITEM(axes.get(), 0));
    parts.rows = ref::share(PyList_GET_ITEM(axes.get(), 1));
    const std::optional<std::int64_t> row_count = index_length(parts.rows.get());
    const std::optional<std::int64_t> column_count = index_length(parts.columns.get());
    if (!row_count || !column_count) {
        return std::nullopt;
    }
    parts.row_count = *row_count;
    parts.column_count = *column_count;
    return parts;
}

std::optional<series_parts> parts_of_series(PyObject* series) {
    const ref manager = own_attribute(series, "_mgr");
    const ref axes = manager ? own_attribute(manager.get(), "axes") : ref();
    const ref blocks = manager ? own_attribute(manager.get(), "blocks") : ref();
    if (!axes || !blocks || !PyList_CheckExact(axes.get()) || PyList_GET_SIZE(axes.get()) != 1 || !PyTuple_CheckExact(blocks.get()) ||
        PyTuple_GET_SIZE(blocks.get()) != 1) {
        return std::nullopt;
    }
    series_parts parts;
    parts.rows = ref::share(PyList_GET_ITEM(axes.get(), 0));
    parts.name = own_attribute(series, "_name");
    const std::optional<std::int64_t> length = index_length(parts.rows.get());
    const ref values = values_of_block(PyTuple_GET_ITEM(blocks.get(), 0));
    if (!length || !values) {
        return std::nullopt;
    }
    parts.values = read_array(values.get(), 0);
    parts.length = *length;
    return parts;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
