#include "python/look/adapters/cells.hpp"
#include "python/look/adapters/families.hpp"
#include "python/look/structural_printer.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_deque_parts = 100;
constexpr Py_ssize_t max_counted = 100'000;

// collections.deque

std::optional<std::int64_t> deque_length(PyObject* object) {
    return Py_TYPE(object)->tp_as_sequence->sq_length(object);
}

ref deque_item_at(PyObject* object, Py_ssize_t position) {
    ref item = ref::steal(Py_TYPE(object)->tp_as_sequence->sq_item(object, position));
    PyErr_Clear();
    return item;
}

adapted_text deque_text(PyObject* object, std::size_t max_parts) {
    const auto length = static_cast<std::size_t>(deque_length(object).value_or(0));
    adapted_text text{.head = "deque([", .tail = "])"};
    const ref limit = c_field(object, "collections.deque", "maxlen");
    if (limit && limit.get() != Py_None) {
        text.tail = "], maxlen=" + short_text(limit.get(), 20) + ")";
    }
    for (std::size_t i = 0; i < std::min({length, max_parts, max_deque_parts}); ++i) {
        text.parts.push_back({"", deque_item_at(object, static_cast<Py_ssize_t>(i))});
    }
    text.left_out = length - text.parts.size();
    return text;
}

std::string deque_summary(PyObject* object) {
    const ref limit = c_field(object, "collections.deque", "maxlen");
    std::string text = "deque of " + std::to_string(deque_length(object).value_or(0));
    if (limit && limit.get() != Py_None) {
        text += " (at most " + short_text(limit.get(), 20) + ")";
    }
    std::string first;
    for (Py_ssize_t i = 0; i < std::min<Py_ssize_t>(3, deque_length(object).value_or(0)); ++i) {
        first += (i == 0 ? ": " : ", ") + short_text(deque_item_at(object, i).get(), 40);
    }
    return text + first;
}

json deque_details(PyObject* object, const inspect_options& options) {
    const std::int64_t length = deque_length(object).value_or(0);
    const auto shown = std::min(length, static_cast<std::int64_t>(options.rows));
    json samples = json::array();
    for (std::int64_t i = 0; i < shown; ++i) {
        samples.push_back(short_text(deque_item_at(object, i).get(), 200));
    }
    json facts = json::object({{"length", length}, {"samples", std::move(samples)}});
    if (length > shown) {
        facts["samples_left_out"] = length - shown;
        facts["last"] = short_text(deque_item_at(object, length - 1).get(), 200);
        facts["note"] = "samples are the first items; read others as d[i]";
    }
    return facts;
}

std::optional<lookup> deque_item(PyObject* object, PyObject* key) {
    if (!PyLong_CheckExact(key)) {
        return lookup{.what = lookup::kind::unfit, .why = "its items are numbered: the key must be an integer"};
    }
    const std::int64_t length = deque_length(object).value_or(0);
    int overflow = 0;
    const long long position = PyLong_AsLongLongAndOverflow(key, &overflow);
    const bool inside = overflow == 0 && position < length && position >= -length;
    return inside ? lookup::of(deque_item_at(object, position + (position < 0 ? length : 0))) : lookup{};
}

// Buffers: array.array and memoryview

std::optional<cells> buffer_cells(PyObject* object) {
    if (Py_TYPE(object) == &PyMemoryView_Type) {
        const Py_buffer* buffer = PyMemoryView_GET_BUFFER(object);
        // A view that has been released has no memory; asking it for a buffer fails.
        std::optional<cells> raw = cells::of(object, {});
        return raw ? cells::of(object, cell_type_of(buffer->format == nullptr ? "B" : buffer->format, buffer->itemsize)) : std::nullopt;
    }
    const ref code = c_field(object, "array.array", "typecode");
    const ref width = c_field(object, "array.array", "itemsize");
    if (!code || !PyUnicode_CheckExact(code.get()) || !width || !PyLong_CheckExact(width.get())) {
        return std::nullopt;
    }
    return cells::of(object, cell_type_of(to_utf8(code.get()), PyLong_AsSsize_t(width.get())));
}

std::string buffer_name(PyObject* object) {
    return Py_TYPE(object) == &PyMemoryView_Type ? "memoryview" : "array.array";
}

adapted_text buffer_text(PyObject* object, std::size_t) {
    const std::optional<cells> data = buffer_cells(object);
    return {.head = "<" + buffer_name(object) +
                    (data ? " " + data->type().name() + " " + shape_text(data->shape()) + ": " + data->first(5) : " without memory") + ">"};
}

std::string buffer_summary(PyObject* object) {
    const std::optional<cells> data = buffer_cells(object);
    if (!data) {
        return buffer_text(object, 0).head;
    }
    const std::string facts = statistics_of(*data, summary_cells).text();
    return buffer_name(object) + " " + data->type().name() + " " + shape_text(data->shape()) + (facts.empty() ? "" : ", " + facts) + ": " +
           data->first(3);
}

json buffer_details(PyObject* object, const inspect_options& options) {
    const std::optional<cells> data = buffer_cells(object);
    if (!data) {
        return nullptr;
    }
    json facts = statistics_of(*data, details_cells).facts();
    const auto shown = static_cast<Py_ssize_t>(std::min<std::size_t>(options.rows, 10));
    facts["dtype"] = data->type().name();
    facts["shape"] = data->shape();
    facts["bytes"] = data->size() * data->type().width;
    facts["samples"] = data->samples(shown);
    if (data->size() > shown) {
        facts["samples_left_out"] = data->size() - shown;
    }
    return facts;
}

std::optional<std::int64_t> buffer_length(PyObject* object) {
    const std::optional<cells> data = buffer_cells(object);
    return data && !data->shape().empty() ? std::optional<std::int64_t>(data->shape()[0]) : std::nullopt;
}

std::optional<lookup> buffer_item(PyObject* object, PyObject* key) {
    if (!PyLong_CheckExact(key)) {
        return lookup{.what = lookup::kind::unfit, .why = "its items are numbered: the key must be an integer"};
    }
    if (!buffer_cells(object)) {
        return lookup::refused("the memory has been released");
    }
    lookup item = lookup::of(ref::steal(Py_TYPE(object)->tp_as_mapping->mp_subscript(object, key)));
    PyErr_Clear();
    return item;
}

// collections.Counter, a dict: only its most common keys are added.

json counter_details(PyObject* object, const inspect_options& options) {
    std::vector<std::pair<long long, ref>> counts;
    Py_ssize_t looked_at = 0;
    for (dict_cursor each{object}; looked_at < max_counted && each.next(); ++looked_at) {
        int overflow = 0;
        if (PyLong_CheckExact(each.value)) {
            counts.emplace_back(PyLong_AsLongLongAndOverflow(each.value, &overflow), ref::share(each.key));
        }
    }
    const std::size_t shown = std::min(counts.size(), options.columns);
    std::stable_sort(counts.begin(), counts.end(), [](const auto& left, const auto& right) { return left.first > right.first; });
    json common = json::array();
    for (std::size_t i = 0; i < shown; ++i) {
        common.push_back(json::object({{"key", short_text(counts[i].second.get(), 60)}, {"count", counts[i].first}}));
    }
    json facts = json::object({{"most_common", std::move(common)}, {"keys", PyDict_GET_SIZE(object)}});
    if (looked_at < PyDict_GET_SIZE(object)) {
        facts["sampled"] = looked_at;
    }
    return facts;
}

constexpr adapter deque_adapter = {
    .text = &deque_text, .summary = &deque_summary, .details = &deque_details, .length = &deque_length, .item = &deque_item};
constexpr adapter buffer_adapter = {
    .text = &buffer_text, .summary = &buffer_summary, .details = &buffer_details, .length = &buffer_length, .item = &buffer_item};
constexpr adapter counter_adapter = {.details = &counter_details};

}  // namespace

const adapter* find_collection_adapter(PyObject* object) {
    PyTypeObject* type = Py_TYPE(object);
    const std::string_view name = type->tp_name;
    if (is_c_class(type)) {
        return name == "collections.deque"                           ? &deque_adapter
               : name == "array.array" || type == &PyMemoryView_Type ? &buffer_adapter
                                                                     : nullptr;
    }
    return name == "Counter" && is_class_of(type, "collections", "Counter") ? &counter_adapter : nullptr;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
