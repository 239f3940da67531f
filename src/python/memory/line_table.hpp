#pragma once
#include <pyaichat/config/config.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The source range of a run of instructions. Columns are -1 if they are not known.
struct code_range {
    std::uint32_t first = 0;  ///< the first instruction, in code units of two bytes
    std::uint32_t count = 0;
    int line = 0;
    int end_line = 0;
    int column = -1;
    int end_column = -1;
};

/// Decodes the location table of a code object, as Python 3.11 to 3.13 write it. Bytes that are not a table give ranges without meaning.
[[nodiscard]] std::vector<code_range> decode_line_table(std::span<const std::uint8_t> table, int first_line);

/// The range of an instruction, or null. Instructions without a line have none.
[[nodiscard]] const code_range* find_range(std::span<const code_range> ranges, std::uint32_t instruction);

/// The range of the expression that a call calls: it begins where the call begins, and ends first. Null if there is none.
[[nodiscard]] const code_range* find_callee(std::span<const code_range> ranges, const code_range& call);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
