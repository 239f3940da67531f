#pragma once
#include "python/look/structural_printer.hpp"
#include "python/memory/object_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Prints an object that is read from memory in the manner of `print_structure`: exact built-in values like `repr`, other objects as
/// `<module.Class object with x=1>`. What cannot be read is printed as `<unreadable>`. `run_repr` is ignored.
[[nodiscard]] printed print_from_memory(object_reader& reader, address object, const print_options& options = {});

/// Whether a value is masked because the expression of the call names a secret.
[[nodiscard]] bool masked_from_memory(object_reader& reader, address object);

/// `print_from_memory` with at most `max_chars` code points; a text that was cut ends with `...`.
[[nodiscard]] std::string short_text_from_memory(object_reader& reader, address object, std::size_t max_chars);

/// One line for a listing: `list of 3: [1, 2, 41]`.
[[nodiscard]] std::string summary_from_memory(object_reader& reader, address object, std::size_t max_chars = 120);

/// The number of items (characters, bytes) in an exact built-in container. Hidden keys do not count; `nullopt` if they are too many to
/// judge.
[[nodiscard]] std::optional<std::uint64_t> size_from_memory(object_reader& reader, address object);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
