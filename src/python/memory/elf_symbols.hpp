#pragma once
#include "python/memory/memory_layout.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Symbols of an executable or a shared library, as addresses in the file. Add `bias` of the loaded image to get addresses in a process.
struct elf_image {
    std::map<std::string, address, std::less<>> symbols = {};
    std::optional<address> python_runtime = {};  ///< the section where CPython keeps its runtime
    address first_segment = 0;                   ///< where the file expects its beginning
};

/// Reads the symbols of `names` from a 64-bit ELF file. Nothing if it is not one. The file may be broken: every number is checked.
[[nodiscard]] std::optional<elf_image> read_elf(const std::string& file, const std::set<std::string, std::less<>>& names);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
