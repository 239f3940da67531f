#pragma once
#include "python/look/look_context.hpp"

#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Opens a value that `for` could iterate without running user code: an exact built-in container, or a stream. Null after a failure:
/// iterators, generators and files are refused, because reading them would consume them.
[[nodiscard]] std::shared_ptr<item_stream> open_items(look_context& context, const looked_value& value);

/// Reads all items into a new list. Null after a failure.
[[nodiscard]] ref read_all(look_context& context, const looked_value& value);

/// Adds the items of a list or tuple to `set`, a new set or frozenset, and returns it. Null after a failure. Unlike Python's own function
/// it looks at the clock: items with equal hashes take quadratic time.
[[nodiscard]] ref set_of(look_context& context, PyObject* items, ref set);

/// `enumerate(items, start)`; `start` is an exact int.
[[nodiscard]] std::shared_ptr<item_stream> enumerate_items(look_context& context, std::shared_ptr<item_stream> items, ref start);
/// `zip(*streams, strict=strict)`.
[[nodiscard]] std::shared_ptr<item_stream> zip_items(look_context& context, std::vector<std::shared_ptr<item_stream>> streams, bool strict);
/// `reversed(sequence)`. Null after a failure.
[[nodiscard]] std::shared_ptr<item_stream> reversed_items(look_context& context, PyObject* sequence);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
