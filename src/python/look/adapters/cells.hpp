#pragma once
#include "python/look/adapters/cell_type.hpp"

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The memory of an array, held while it is read. Read it with the GIL held.
class cells {
public:
    /// Borrows the memory of an object whose exact type is a C class with the buffer protocol. `nullopt` if it does not lend it.
    [[nodiscard]] static std::optional<cells> of(PyObject* object, cell_type type);

    [[nodiscard]] const cell_type& type() const noexcept { return type_; }
    [[nodiscard]] const std::vector<Py_ssize_t>& shape() const noexcept { return shape_; }
    /// The number of cells.
    [[nodiscard]] Py_ssize_t size() const noexcept { return size_; }
    /// The address of a cell, counted in the order of C.
    [[nodiscard]] const char* at(Py_ssize_t flat) const;

    /// The first cells as a text: `1, 2, 3, ...`.
    [[nodiscard]] std::string first(Py_ssize_t count) const;
    /// The first cells, a list of texts.
    [[nodiscard]] json samples(Py_ssize_t count) const;

private:
    std::shared_ptr<Py_buffer> buffer_;
    cell_type type_;
    std::vector<Py_ssize_t> shape_;
    std::vector<Py_ssize_t> strides_;
    Py_ssize_t size_ = 1;
};

/// Facts that need a look at the cells.
struct cell_statistics {
    Py_ssize_t looked_at = 0;  ///< fewer than all: an evenly spaced sample
    bool sampled = false;
    Py_ssize_t missing = 0;    ///< NaN, NaT, None, and masked cells
    std::string minimum = {};  ///< of the others; empty if they have no order
    std::string maximum = {};
    std::optional<double> mean = {};
    std::optional<Py_ssize_t> trues = {};                 ///< of bool cells
    std::map<std::string, Py_ssize_t> object_types = {};  ///< of object cells, without the missing ones

    /// `range 1 to 5, mean 3, 2 missing (of 2000 sampled)`; empty if there is nothing to say.
    [[nodiscard]] std::string text() const;
    /// `{"min", "max", "mean", "missing", "sampled"?}`.
    [[nodiscard]] json facts() const;
};

/// Looks at up to `max_cells` cells. `mask`, if given, has a bool for each cell: true = missing.
[[nodiscard]] cell_statistics statistics_of(const cells& array, Py_ssize_t max_cells, const cells* mask = nullptr);

// How many cells the facts of one summary and of one `inspect` read.
inline constexpr Py_ssize_t summary_cells = 1'000;
inline constexpr Py_ssize_t details_cells = 400'000;

/// `(1000, 3)`.
[[nodiscard]] std::string shape_text(const std::vector<Py_ssize_t>& shape);
/// `24 kB`.
[[nodiscard]] std::string bytes_text(double bytes);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
