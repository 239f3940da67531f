#include "python/look/adapters/cells.hpp"

#include "python/look/adapters/cell_reader.hpp"
#include "python/look/object_facts.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::size_t max_object_types = 8;

/// Calls `look(address, flat)` for every cell, or for `max_cells` evenly spaced ones.
template <class Look>
void walk(const cells& array, Py_ssize_t max_cells, cell_statistics& found, Look look) {
    found.sampled = array.size() > max_cells;
    found.looked_at = std::min(array.size(), max_cells);
    for (Py_ssize_t i = 0; i < found.looked_at; ++i) {
        const Py_ssize_t flat =
            found.sampled
                ? static_cast<Py_ssize_t>(static_cast<double>(i) * static_cast<double>(array.size()) / static_cast<double>(max_cells))
                : i;
        look(array.at(flat), flat);
    }
}

bool is_masked(const cells* mask, Py_ssize_t flat) {
    return mask != nullptr && flat < mask->size() && *mask->at(flat) != 0;
}

template <class T>
void look_at_numbers(const cells& array, Py_ssize_t max_cells, const cells* mask, cell_statistics& found) {
    const bool is_time = array.type().kind == 'M' || array.type().kind == 'm';
    T least{};
    T greatest{};
    const char* least_at = nullptr;
    const char* greatest_at = nullptr;
    double sum = 0;
    walk(array, max_cells, found, [&](const char* address, Py_ssize_t flat) {
        const T value = read_cell<T>(address, array.type().swapped);
        bool missing = is_masked(mask, flat);
        if constexpr (std::is_integral_v<T>) {
            missing = missing || (is_time && value == std::numeric_limits<T>::min());
        } else {
            missing = missing || std::isnan(static_cast<double>(value));
        }
        if (missing) {
            ++found.missing;
            return;
        }
        sum += static_cast<double>(value);
        if (least_at == nullptr || value < least) {
            least = value;
            least_at = address;
        }
        if (greatest_at == nullptr || greatest < value) {
            greatest = value;
            greatest_at = address;
        }
    });
    if (least_at != nullptr) {
        found.minimum = cell_text(array.type(), least_at);
        found.maximum = cell_text(array.type(), greatest_at);
        if (!is_time) {
            found.mean = sum / static_cast<double>(found.looked_at - found.missing);
        }
    }
}

void look_at_objects(const cells& array, Py_ssize_t max_cells, const cells* mask, cell_statistics& found) {
    std::map<PyTypeObject*, Py_ssize_t> types;
    walk(array, max_cells, found, [&](const char* address, Py_ssize_t flat) {
        PyObject* object = cell_object(address);
        if (is_masked(mask, flat) || is_missing_object(object)) {
            ++found.missing;
        } else {
            ++types[Py_TYPE(object)];
        }
    });
    for (const auto& [type, count] : types) {
        found.object_types[name_of(type).qualified()] += count;
    }
}

void look_at_bools(const cells& array, Py_ssize_t max_cells, const cells* mask, cell_statistics& found) {
    Py_ssize_t trues = 0;
    walk(array, max_cells, found, [&](const char* address, Py_ssize_t flat) {
        const bool missing = is_masked(mask, flat);
        found.missing += missing ? 1 : 0;
        trues += !missing && *address != 0 ? 1 : 0;
    });
    found.trues = trues;
}

}  // namespace

std::optional<cells> cells::of(PyObject* object, cell_type type) {
    PyTypeObject* owner = Py_TYPE(object);
    if (!is_c_class(owner) || owner->tp_as_buffer == nullptr || owner->tp_as_buffer->bf_getbuffer == nullptr) {
        return std::nullopt;
    }
    auto view = std::make_unique<Py_buffer>();
    if (owner->tp_as_buffer->bf_getbuffer(object, view.get(), PyBUF_STRIDED_RO) != 0) {
        PyErr_Clear();
        return std::nullopt;
    }
    cells lent;
    lent.buffer_ = std::shared_ptr<Py_buffer>(view.release(), [](Py_buffer* held) {
        PyBuffer_Release(held);
        delete held;
    });
    const Py_buffer& buffer = *lent.buffer_;
    lent.type_ = std::move(type);
    if (lent.type_.width <= 0) {
        lent.type_.width = buffer.itemsize;
    }
    // A scalar of numpy may lend its memory as bytes.
    const bool as_bytes = buffer.itemsize != lent.type_.width && buffer.len == lent.type_.width;
    if (!as_bytes && buffer.itemsize != lent.type_.width) {
        return std::nullopt;
    }
    for (int i = 0; i < buffer.ndim && !as_bytes && buffer.shape != nullptr && buffer.strides != nullptr; ++i) {
        lent.shape_.push_back(buffer.shape[i]);
        lent.strides_.push_back(buffer.strides[i]);
        lent.size_ *= buffer.shape[i];
    }
    return lent;
}

const char* cells::at(Py_ssize_t flat) const {
    const char* address = static_cast<const char*>(buffer_->buf);
    for (std::size_t axis = shape_.size(); axis-- > 1 && flat != 0;) {
        address += flat % shape_[axis] * strides_[axis];
        flat /= shape_[axis];
    }
    return shape_.empty() ? address : address + flat * strides_[0];
}

std::string cells::first(Py_ssize_t count) const {
    std::string text;
    for (Py_ssize_t i = 0; i < std::min(count, size_); ++i) {
        text += (i == 0 ? "" : ", ") + cell_text(type_, at(i));
    }
    return text + (size_ > count ? ", ..." : "");
}

json cells::samples(Py_ssize_t count) const {
    json texts = json::array();
    for (Py_ssize_t i = 0; i < std::min(count, size_); ++i) {
        texts.push_back(cell_text(type_, at(i)));
    }
    return texts;
}

cell_statistics statistics_of(const cells& array, Py_ssize_t max_cells, const cells* mask) {
    cell_statistics found;
    if (array.type().kind == 'O') {
        look_at_objects(array, max_cells, mask, found);
    } else if (array.type().kind == 'b') {
        look_at_bools(array, max_cells, mask, found);
    } else if (array.type().kind == 'c') {
        const cell_type part = {.kind = 'f', .width = array.type().width / 2};
        with_number(part, [&]<class T>(std::type_identity<T>) {
            walk(array, max_cells, found, [&](const char* address, Py_ssize_t) {
                const auto real = static_cast<double>(read_cell<T>(address, array.type().swapped));
                const auto imaginary = static_cast<double>(read_cell<T>(address + part.width, array.type().swapped));
                found.missing += std::isnan(real) || std::isnan(imaginary) ? 1 : 0;
            });
        });
    } else {
        with_number(array.type(), [&]<class T>(std::type_identity<T>) { look_at_numbers<T>(array, max_cells, mask, found); });
        if (found.looked_at == 0 && mask != nullptr) {
            walk(*mask, max_cells, found, [&](const char* address, Py_ssize_t) { found.missing += *address != 0 ? 1 : 0; });
        }
    }
    return found;
}

std::string cell_statistics::text() const {
    std::string out;
    const auto add = [&](const std::string& fact) { out += (out.empty() ? "" : ", ") + fact; };
    if (!minimum.empty()) {
        add("range " + minimum + " to " + maximum);
    }
    if (mean) {
        add("mean " + float_text(*mean, 5));
    }
    if (trues) {
        add(std::to_string(*trues) + " True");
    }
    std::size_t shown = 0;
    for (const auto& [name, count] : object_types) {
        if (shown++ == 3) {
            add("... " + pyaichat::detail::counted(static_cast<std::int64_t>(object_types.size() - 3), "more type"));
            break;
        }
        add(std::to_string(count) + " " + name);
    }
    if (missing > 0) {
        add(std::to_string(missing) + " missing");
    }
    return out.empty() || !sampled ? out : out + " (in a sample of " + std::to_string(looked_at) + ")";
}

json cell_statistics::facts() const {
    json found = json::object();
    if (!minimum.empty()) {
        found["min"] = minimum;
        found["max"] = maximum;
    }
    if (mean) {
        found["mean"] = float_text(*mean, 8);
    }
    if (trues) {
        found["true"] = *trues;
    }
    if (!object_types.empty()) {
        json& types = found["object_types"] = json::object();
        for (const auto& [name, count] : object_types) {
            if (types.size() == max_object_types) {
                found["object_types_total"] = object_types.size();
                break;
            }
            types[name] = count;
        }
    }
    if (looked_at > 0) {
        found["missing"] = missing;
    }
    if (sampled) {
        found["sampled"] = looked_at;
    }
    return found;
}

std::string shape_text(const std::vector<Py_ssize_t>& shape) {
    std::string text = "(";
    for (const Py_ssize_t each : shape) {
        text += (text.size() == 1 ? "" : ", ") + std::to_string(each);
    }
    return text + (shape.size() == 1 ? ",)" : ")");
}

std::string bytes_text(double bytes) {
    constexpr std::array<const char*, 5> units = {" bytes", " kB", " MB", " GB", " TB"};
    std::size_t unit = 0;
    for (; bytes >= 1000 && unit + 1 < units.size(); ++unit) {
        bytes /= 1000;
    }
    return float_text(bytes, 3) + units[unit];
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
