#pragma once
#include "python/memory/memory_source.hpp"
#include "python/memory/process_memory.hpp"

#include <chrono>
#include <cstdint>
#include <optional>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// What one reply may read.
struct read_limits {
    std::size_t reads = 40'000;  ///< about 20 ms
    std::size_t bytes = std::size_t{8} << 20;
    std::chrono::nanoseconds time = std::chrono::milliseconds(50);  ///< of the processor, so that a busy machine changes no answer
};

/// Reads a memory within limits, and remembers by a hash what it read, so that two passes can be compared.
class bounded_memory {
public:
    explicit bounded_memory(memory_source& source, const read_limits& limits = {})
        : source_(source), limits_(limits), until_(used_thread_time() + limits.time) {}

    [[nodiscard]] bool read(address from, std::span<std::byte> into);

    /// Reads a number or an address.
    template <class T>
        requires std::is_arithmetic_v<T>
    [[nodiscard]] std::optional<T> load(address from) {
        T value{};
        return read(from, std::as_writable_bytes(std::span(&value, 1))) ? std::optional(value) : std::nullopt;
    }

    /// Reads the first bytes of an object: the number of its references, which is not part of the digest, its type, and more.
    [[nodiscard]] bool read_head(address object, std::span<std::byte> into, memory_layout::offset type_at);

    /// Reads values in a row. Returns false if not all of them can be read.
    template <class T>
    [[nodiscard]] bool load_all(address from, std::vector<T>& into) {
        return into.empty() || read(from, std::as_writable_bytes(std::span(into)));
    }

    /// Whether a limit was reached. Further reads fail.
    [[nodiscard]] bool exhausted() const noexcept { return exhausted_; }

    /// The hash of all addresses and bytes that were read since `begin_pass`.
    [[nodiscard]] std::uint64_t digest() const noexcept { return digest_; }
    /// Whether something that was read since `begin_pass` cannot be part of a live object.
    [[nodiscard]] bool doubtful() const noexcept { return doubtful_; }
    void doubt() noexcept { doubtful_ = true; }

    void begin_pass() noexcept {
        digest_ = 0x9E3779B97F4A7C15U;
        doubtful_ = false;
    }

    /// After a search through a table that found something: keeps the digest, and the doubt, as they were at the beginning, because the
    /// other entries may change, and adds what was found. That there is nothing depends on all entries.
    template <class Search>
    [[nodiscard]] address search(Search found_by) {
        const std::uint64_t before = digest_;
        const bool was_doubtful = doubtful_;
        const address found = found_by();
        if (found != 0) {
            digest_ = before;
            doubtful_ = was_doubtful;
        }
        mix(found);
        return found;
    }

private:
    [[nodiscard]] bool fetch(address from, std::span<std::byte> into);
    void mix(std::uint64_t value) noexcept;
    void mix_bytes(std::span<const std::byte> bytes) noexcept;

    memory_source& source_;
    read_limits limits_;
    std::chrono::nanoseconds until_;
    std::size_t reads_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t digest_ = 0;
    bool exhausted_ = false;
    bool doubtful_ = false;
};

/// A value and whether two passes in a row read the same bytes for it.
template <class T>
struct twice_read {
    T value;
    bool agreed = false;
};

inline constexpr int max_passes = 6;

/// Calls `pass` until it reads the same bytes twice in a row, without doubt, `max_passes` times at most. While the memory is changed, one
/// pass may see halves of two values, or an object that was freed. If two passes see the same live objects, they existed between them.
template <class Pass>
[[nodiscard]] auto read_twice(bounded_memory& memory, Pass pass) -> twice_read<decltype(pass())> {
    memory.begin_pass();
    auto value = pass();
    for (int i = 1; i < max_passes && !memory.exhausted(); ++i) {
        const std::uint64_t before = memory.digest();
        const bool was_doubtful = memory.doubtful();
        memory.begin_pass();
        auto again = pass();
        if (memory.exhausted()) {
            break;  // this pass was cut short
        }
        const bool agreed = memory.digest() == before && !was_doubtful && !memory.doubtful();
        value = std::move(again);
        if (agreed) {
            return {std::move(value), true};
        }
    }
    return {std::move(value), false};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
