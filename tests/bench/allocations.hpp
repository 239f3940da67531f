#pragma once
#include <cstdint>

namespace bench {

/// How often this thread has asked `operator new` for memory. Counted in the benchmark program only, which replaces it.
[[nodiscard]] std::uint64_t allocations() noexcept;

}  // namespace bench
