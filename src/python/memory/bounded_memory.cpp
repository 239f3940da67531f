#include "python/memory/bounded_memory.hpp"

#include <pyaichat/config/config.hpp>

#include <algorithm>
#include <cstring>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// A freed object has no references, or a pointer of the allocator in their place.
constexpr std::uint64_t max_references = std::uint64_t{1} << 40;

constexpr std::size_t reads_per_time_check = 32;

}  // namespace

void bounded_memory::mix(std::uint64_t value) noexcept {
    digest_ = (digest_ ^ value) * 0x100000001B3U;
    digest_ ^= digest_ >> 29;
}

bool bounded_memory::read_head(address object, std::span<std::byte> into, memory_layout::offset type_at) {
    PYAICHAT_ASSERT(type_at >= sizeof(std::uint64_t) && into.size() >= type_at + sizeof(address), "the head of an object has its type");
    if (object == 0 || !fetch(object, into)) {
        doubtful_ = true;
        return false;
    }
    std::uint64_t references = 0;
    address type = 0;
    std::memcpy(&references, into.data(), sizeof references);
    std::memcpy(&type, into.data() + type_at, sizeof type);
    doubtful_ = doubtful_ || references == 0 || references >= max_references || type == 0;
    mix(object);
    mix_bytes(into.subspan(sizeof references));  // the number of references changes while the object does not
    return true;
}

void bounded_memory::mix_bytes(std::span<const std::byte> bytes) noexcept {
    for (std::size_t at = 0; at < bytes.size(); at += sizeof(std::uint64_t)) {
        std::uint64_t word = 0;
        std::memcpy(&word, bytes.data() + at, std::min(sizeof word, bytes.size() - at));
        mix(word);
    }
}

bool bounded_memory::fetch(address from, std::span<std::byte> into) {
    ++reads_;
    const bool late = reads_ % reads_per_time_check == 0 && used_thread_time() > until_;
    exhausted_ = exhausted_ || late || reads_ > limits_.reads || into.size() > limits_.bytes - bytes_;
    if (exhausted_) {
        return false;
    }
    bytes_ += into.size();
    return source_.read(from, into);
}

bool bounded_memory::read(address from, std::span<std::byte> into) {
    const bool done = fetch(from, into);
    doubtful_ = doubtful_ || !done;
    mix(from);
    if (done) {
        mix_bytes(into);
    }
    return done;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
