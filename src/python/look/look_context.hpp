#pragma once
#include "python/look/look_budget.hpp"
#include "python/python_api.hpp"

#include <pyaichat/message/capability_reply.hpp>

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Items that can be read once. Unlike a Python iterator, reading them runs no user code and changes no object of the session.
class item_stream {
public:
    item_stream() = default;
    item_stream(const item_stream&) = delete;
    item_stream& operator=(const item_stream&) = delete;
    virtual ~item_stream() = default;

    /// The next item. Null at the end and after a failure of the evaluation.
    [[nodiscard]] virtual ref next() = 0;
    /// The number of items, if it is known.
    [[nodiscard]] virtual std::optional<std::size_t> size() const { return std::nullopt; }
};

/// What a sub-expression gives: an object, or a stream (of a generator expression, `enumerate`, `zip`, `reversed`), or nothing after a
/// failure.
struct looked_value {
    ref object = {};
    std::shared_ptr<item_stream> items = {};

    [[nodiscard]] explicit operator bool() const { return object || items; }
};

/// The state of one evaluation that its parts share: budget, failure, and which values are plain.
///
/// Deeply plain: of an exact built-in type, with items that are deeply plain. Operations on such values run no user code. A value that
/// is shared with the session stays as it is meanwhile, because nothing else runs.
class look_context {
public:
    look_context(PyObject* builtins, look_budget& budget) : builtins_(builtins), budget_(&budget) {}

    [[nodiscard]] PyObject* builtins() const noexcept { return builtins_; }

    /// The source of the sub-expression that is being evaluated, for the details of failures.
    std::string_view at = {};

    // Failures. The first one is kept. The functions that return `ref` return null.
    [[nodiscard]] bool failed() const noexcept { return failure_.has_value(); }
    [[nodiscard]] capability_reply take_failure() { return *std::move(failure_); }
    /// Fails with `not_allowed`: another tier could evaluate this.
    ref refuse(std::string why);
    /// Fails with `not_allowed` because the work or the result is too large.
    ref too_much(std::string_view what);
    /// Fails with the exception that Python would raise.
    ref raise(std::string exc_type, std::string message, const std::vector<std::string>& nearest = {});
    /// Fails with the current Python error, and clears it.
    ref raise_current();
    /// Passes a result of the C API on; fails with the current Python error if it is null.
    [[nodiscard]] ref checked(ref result) { return result ? std::move(result) : raise_current(); }

    // Budgets. They return false after a failure.
    bool spend(std::size_t steps);
    /// Takes a result of so many items, or characters or bytes, from the budget before it is created.
    bool fits_items(std::size_t items);
    bool fits_text(std::size_t size);

    // Plain values.
    /// The size of a deeply plain value: its items, and its text in units of 64 bytes. Fails if it is not deeply plain.
    [[nodiscard]] std::optional<std::size_t> weigh(PyObject* value);
    /// Whether all keys of a dict are deeply plain, so that a lookup runs no user code. Does not fail for this reason.
    [[nodiscard]] bool has_plain_keys(PyObject* dict);
    /// Whether this is the first call for the dict. A single lookup in a large dict is faster without `has_plain_keys`.
    [[nodiscard]] bool is_first_lookup(PyObject* dict) { return searched_.emplace(dict, ref::share(dict)).second; }
    /// `weigh`, where the size does not matter.
    [[nodiscard]] bool is_plain(PyObject* value) { return weigh(value).has_value(); }

private:
    struct weighed {
        ref object;  ///< keeps its address
        std::size_t weight = 0;
    };
    /// `nullopt`, with the object that is not plain in `obstacle_`.
    [[nodiscard]] std::optional<std::size_t> weight_of(PyObject* value, int depth);
    [[nodiscard]] std::optional<std::size_t> weight_of_items(PyObject* container, int depth);

    PyObject* builtins_;
    look_budget* budget_;
    std::optional<capability_reply> failure_;
    std::unordered_map<PyObject*, weighed> weights_;
    std::unordered_map<PyObject*, std::pair<ref, bool>> plain_keys_;
    std::unordered_map<PyObject*, ref> searched_;
    std::string obstacle_;
};

/// Whether the value is of an exact built-in type on which operators run only C code, apart from the code of items inside.
[[nodiscard]] bool is_exact_value(PyObject* value);
[[nodiscard]] bool is_exact_number(PyObject* value);
[[nodiscard]] bool is_exact_integer(PyObject* value);
[[nodiscard]] bool is_exact_bytes(PyObject* value);
[[nodiscard]] bool is_exact_set(PyObject* value);
/// A view that `keys`, `values` or `items` of a dict returns.
[[nodiscard]] bool is_dict_view(PyObject* value);

/// Whether a range has integers that are too large for its arithmetic, which takes quadratic time.
[[nodiscard]] bool has_large_integers(PyObject* range);

/// The number of bits of an int.
[[nodiscard]] std::size_t bits_of(PyObject* integer);

/// An error reply with a Python exception.
[[nodiscard]] capability_reply python_exception_reply(std::string exc_type, std::string message, json details = json::object());

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
