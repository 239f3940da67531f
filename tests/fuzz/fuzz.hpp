#pragma once
/// What every fuzz target is made of. A target is one file: it defines `LLVMFuzzerTestOneInput`, as libFuzzer wants it, checks what has to
/// hold for any bytes with `must`, and has a folder of its name under corpus/.
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
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

/// For bytes that come in pieces: they mean the same one by one, in pieces of the size that the first byte says, and as a whole.
inline int compare_splits(const std::uint8_t* data, std::size_t size,
                          std::string (*transcript)(std::string_view bytes, std::size_t piece)) {
    if (size == 0) {
        return 0;
    }
    const std::string_view bytes = text_of(data + 1, size - 1);
    const std::string whole = transcript(bytes, bytes.size() + 1);
    must(transcript(bytes, 1) == whole, "one by one, the bytes mean the same");
    must(transcript(bytes, data[0] + 2U) == whole, "in pieces, the bytes mean the same");
    return 0;
}

}  // namespace fuzz
