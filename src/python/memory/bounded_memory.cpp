#include "python/memory/bounded_memory.hpp"

#include <algorithm>
#include <array>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// A freed object has no references, or a pointer of the allocator in their place.
constexpr std::uint64_t max_references = std::uint64_t{1} << 40;

}  // namespace

void bounded_memory::mix(std::uint64_t value) noexcept {
    digest_ = (digest_ ^ value) * 0x100000001B3U;
    digest_ ^= digest_ >> 29;
}

std::optional<address> bounded_memory::read_head(address object, memory_layout::offset type_at) {
    std::array<address, 4> words = {};
    const std::size_t count = type_at / sizeof(address) + 1;
    const std::uint64_t before = digest_;
    if (object == 0 || count > words.size() || !read(object, std::as_writable_bytes(std::span(words).first(count)))) {
        doubtful_ = true;
        return std::nullopt;
    }
    digest_ = before;  // the count of references changes while the object does not
    const address type = words[count - 1];
    mix(object);
    mix(type);
    doubtful_ = doubtful_ || words[0] == 0 || words[0] >= max_references || type == 0;
    return type;
}

bool bounded_memory::read(address from, std::span<std::byte> into) {
    exhausted_ =
        exhausted_ || ++reads_ > limits_.reads || into.size() > limits_.bytes - bytes_ || std::chrono::steady_clock::now() > until_;
    if (exhausted_) {
        return false;
    }
    bytes_ += into.size();
    const bool done = source_.read(from, into);
    doubtful_ = doubtful_ || !done;
    mix(from);
    mix(done ? into.size() : ~std::uint64_t{0});
    for (std::size_t at = 0; done && at < into.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, into.data() + at, std::min(sizeof word, into.size() - at));
        mix(word);
    }
    return done;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
