#pragma once
#include "python/memory/memory_layout.hpp"

#include <cstddef>
#include <span>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Memory that its owner may change during every read: of a process, or made up by a test.
class memory_source {
public:
    virtual ~memory_source() = default;

    /// Copies the bytes at `from`. Returns false if not all of them can be read. Never crashes, whatever the address is.
    [[nodiscard]] virtual bool read(address from, std::span<std::byte> into) = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
