#include "python/look/adapters/pandas_facts.hpp"
#include "python/look/trusted_type.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::int64_t max_sample_rows = 5;
constexpr std::int64_t listed_columns = 5;

lookup frame_column(const frame_parts& parts, PyObject* label) {
    const label_search found = find_label(parts.columns.get(), label);
    if (found.what != lookup::kind::found) {
        return {.what = found.what, .why = found.why};
    }
    if (!positions_are_safe(parts.rows.get())) {
        return lookup::refused("a column is read as an array, and the integer labels of the rows are not their positions");
    }
    const std::optional<pandas_values> values = parts.column(found.position);
    lookup column = values ? of_array(*values) : lookup::refused("the column has an unknown layout");
    column.stand_in = column.found();
    return column;
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

constexpr std::array<std::string_view, 5> frame_shown = {"shape", "columns", "index", "size", "empty"};
}  // namespace

const adapter& frame_adapter() {
    static constexpr adapter known = {.text = &frame_text,
                                      .details = &frame_details,
                                      .length = &frame_length,
                                      .attribute = &frame_attribute,
                                      .item = &frame_item,
                                      .shown = frame_shown};
    return known;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
