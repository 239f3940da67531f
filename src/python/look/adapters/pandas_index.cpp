#include "python/look/adapters/numpy_objects.hpp"
#include "python/look/adapters/pandas_objects.hpp"
#include "python/look/trusted_type.hpp"

#include <limits>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr Py_ssize_t max_searched_labels = 200'000;
constexpr Py_ssize_t max_levels = 16;

std::optional<std::int64_t> exact_integer(PyObject* object) {
    if (object == nullptr || !PyLong_CheckExact(object)) {
        return std::nullopt;
    }
    int overflow = 0;
    const long long value = PyLong_AsLongLongAndOverflow(object, &overflow);
    return overflow == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

/// The attribute of a MultiIndex that is a list; pandas uses a subclass of list. Null if it is another object.
ref level_list(PyObject* index, const char* name) {
    ref list = own_attribute(index, name);
    return list && PyList_Check(list.get()) && PyList_GET_SIZE(list.get()) <= max_levels ? list : ref();
}

/// Whether a level of a MultiIndex is a simple index. Another one is a forgery, which could contain itself.
bool is_simple_level(PyObject* level) {
    return pandas_kind_of(level) == pandas_kind::index && !level_list(level, "_levels");
}

/// The position in a level of the label at a position; -1 if it is missing, `nullopt` if it cannot be read.
std::optional<std::int64_t> level_code(PyObject* codes, std::int64_t position) {
    const std::optional<cells> numbers = is_ndarray(codes) ? numpy_cells(codes) : std::nullopt;
    const bool inside = numbers && numbers->shape().size() == 1 && position < numbers->size();
    return inside ? cell_integer(numbers->type(), numbers->at(position)) : std::nullopt;
}

/// A label of a MultiIndex: `(1, 'a')`.
std::string levels_label(PyObject* levels, PyObject* codes, std::int64_t position) {
    std::string text = "(";
    for (Py_ssize_t i = 0; i < PyList_GET_SIZE(levels) && codes != nullptr && i < PyList_GET_SIZE(codes); ++i) {
        PyObject* level = PyList_GET_ITEM(levels, i);
        const std::optional<std::int64_t> code = level_code(PyList_GET_ITEM(codes, i), position);
        const bool known = code && is_simple_level(level);
        text += (i == 0 ? "" : ", ") + (!known ? "?" : *code < 0 ? "NaN" : index_label(level, *code));
    }
    return text + ")";
}

/// Compares the label with a cell: true, false, or `nullopt` if that would run code.
std::optional<bool> is_label(const cells& labels, Py_ssize_t position, PyObject* label) {
    if (labels.type().kind == 'i' || labels.type().kind == 'u') {
        const std::optional<std::int64_t> number = cell_integer(labels.type(), labels.at(position));
        return PyLong_CheckExact(label) && number && number == exact_integer(label);
    }
    PyObject* cell = cell_object(labels.at(position));
    if (cell == nullptr || cell == Py_None) {
        return false;
    }
    if (PyUnicode_CheckExact(cell)) {
        return PyUnicode_CheckExact(label) && PyUnicode_Compare(cell, label) == 0;
    }
    if (PyLong_CheckExact(cell)) {
        return PyLong_CheckExact(label) && exact_integer(cell) && exact_integer(cell) == exact_integer(label);
    }
    return std::nullopt;
}

}  // namespace

std::optional<index_range> range_of_index(PyObject* index) {
    const ref range = own_attribute(index, "_range");
    if (!range || Py_TYPE(range.get()) != &PyRange_Type) {
        return std::nullopt;
    }
    const auto number = [&](const char* name) { return exact_integer(builtin_member(&PyRange_Type, range.get(), name).get()); };
    const std::optional<std::int64_t> start = number("start");
    const std::optional<std::int64_t> step = number("step");
    const std::optional<std::int64_t> length = size_of(range.get());
    return start && step && length ? std::optional(index_range{*start, *step, *length}) : std::nullopt;
}

std::optional<std::int64_t> index_length(PyObject* index) {
    if (const std::optional<index_range> range = range_of_index(index)) {
        return range->length;
    }
    if (const ref codes = level_list(index, "_codes"); codes && PyList_GET_SIZE(codes.get()) > 0) {
        const ref first = ref::share(PyList_GET_ITEM(codes.get(), 0));
        const std::optional<cells> numbers = is_ndarray(first.get()) ? numpy_cells(first.get()) : std::nullopt;
        return numbers ? std::optional<std::int64_t>(numbers->size()) : std::nullopt;
    }
    const pandas_values values = values_of_index(index);
    std::optional<cells> data = values.data_cells();
    if (const ref left = !data && values.owner ? own_attribute(values.owner.get(), "_left") : ref()) {  // of intervals
        data = (pandas_kind_of(left.get()) == pandas_kind::index ? values_of_index(left.get()) : values_of_array(left.get())).data_cells();
    }
    return data ? std::optional<std::int64_t>(data->size()) : std::nullopt;
}

ref index_item(PyObject* index, std::int64_t position) {
    const std::int64_t length = index_length(index).value_or(0);
    position += position < 0 ? length : 0;
    if (position < 0 || position >= length) {
        return {};
    }
    if (const std::optional<index_range> range = range_of_index(index)) {
        return ref::steal(PyLong_FromLongLong(range->start + range->step * position));
    }
    const ref levels = level_list(index, "_levels");
    const ref codes = level_list(index, "_codes");
    if (levels && codes && PyList_GET_SIZE(levels.get()) == PyList_GET_SIZE(codes.get())) {
        ref label = ref::steal(PyTuple_New(PyList_GET_SIZE(levels.get())));
        for (Py_ssize_t i = 0; label && i < PyList_GET_SIZE(levels.get()); ++i) {
            PyObject* level = PyList_GET_ITEM(levels.get(), i);
            const std::optional<std::int64_t> code = level_code(PyList_GET_ITEM(codes.get(), i), position);
            ref part = !code || !is_simple_level(level) ? ref() : *code < 0 ? ref::share(Py_None) : index_item(level, *code);
            if (!part) {
                return {};
            }
            PyTuple_SET_ITEM(label.get(), i, part.release());
        }
        return label;
    }
    const pandas_values values = values_of_index(index);
    if (values.categories) {
        const std::optional<cells> numbers = values.data_cells();
        const std::int64_t code = numbers ? cell_integer(numbers->type(), numbers->at(position)).value_or(-1) : -1;
        const bool flat = !values_of_index(values.categories.get()).categories;
        return code < 0 ? ref::share(Py_None) : flat ? index_item(values.categories.get(), code) : ref();
    }
    return values.data ? ndarray_item(values.data.get(), position) : ref();
}

std::string index_label(PyObject* index, std::int64_t position) {
    if (const ref levels = level_list(index, "_levels")) {
        return levels_label(levels.get(), level_list(index, "_codes").get(), position);
    }
    if (!range_of_index(index)) {
        const pandas_values values = values_of_index(index);
        const std::optional<cells> data = values.data_cells();
        return data && position < data->size() ? values.text_at(*data, position) : std::string("?");
    }
    const ref label = index_item(index, position);
    return scalar_object_text(label.get());
}

label_search find_label(PyObject* index, PyObject* label) {
    const auto refused = [](const char* why) { return label_search{lookup::kind::needs_code, 0, why}; };
    if (!PyUnicode_CheckExact(label) && !PyLong_CheckExact(label)) {
        return refused("only strings and integers are looked up among labels");
    }
    if (const std::optional<index_range> range = range_of_index(index)) {
        const std::optional<std::int64_t> number = exact_integer(label);
        if (!number || range->step == 0 || (*number - range->start) % range->step != 0) {
            return {};
        }
        const std::int64_t position = (*number - range->start) / range->step;
        return position >= 0 && position < range->length ? label_search{lookup::kind::found, position} : label_search{};
    }
    const pandas_values values = values_of_index(index);
    const std::optional<cells> labels = values.data_cells();
    const bool comparable = labels && !values.categories && !values.mask &&
                            (labels->type().kind == 'O' || labels->type().kind == 'i' || labels->type().kind == 'u');
    if (!comparable) {
        return refused("labels of this kind are not compared without running code");
    }
    if (labels->size() > max_searched_labels) {
        return refused("the index is too long to be searched");
    }
    label_search found;
    bool foreign = false;
    for (Py_ssize_t i = 0; i < labels->size(); ++i) {
        const std::optional<bool> same = is_label(*labels, i, label);
        foreign = foreign || !same;
        if (same.value_or(false)) {
            if (found.what == lookup::kind::found) {
                return refused("the label is not unique");
            }
            found = {lookup::kind::found, i};
        }
    }
    return foreign ? refused("some labels are objects that define their own comparison") : found;
}

bool positions_are_safe(PyObject* index) {
    if (const std::optional<index_range> range = range_of_index(index)) {
        return range->start == 0 && range->step == 1;
    }
    const std::optional<cells> labels = values_of_index(index).data_cells();
    if (!labels) {
        return false;
    }
    // Text and time labels: pandas refuses an integer or takes it for a position.
    const bool first_is_text = labels->type().kind == 'O' && labels->size() > 0 && cell_object(labels->at(0)) != nullptr &&
                               PyUnicode_CheckExact(cell_object(labels->at(0)));
    return first_is_text || labels->type().kind == 'M' || labels->type().kind == 'm';
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
