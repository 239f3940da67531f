#pragma once
/// What every fuzz target is made of. A target is one file: it defines `LLVMFuzzerTestOneInput`, as libFuzzer wants it, checks what has to
/// hold for any bytes with `must`, and has a folder of its name under corpus/.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string_view>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
    return {reinterpret_cast<const char*>(data), size};
}

/// Ends the process with a word about what did not hold; the fuzzer then keeps the input.
inline void must(bool holds, const char* what) {
    if (!holds) {
        std::fprintf(stderr, "does not hold: %s\n", what);
        std::abort();
    }
}

}  // namespace fuzz
