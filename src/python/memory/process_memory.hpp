#pragma once
#include "python/memory/memory_source.hpp"

#include <pyaichat/core/result.hpp>

#include <chrono>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The memory of a process, this one or another, read by the system: an address that is not mapped is an error and not a crash. Nothing in
/// the process is stopped or written.
class process_memory final : public memory_source {
public:
    explicit process_memory(long process) : process_(process) {}

    [[nodiscard]] bool read(address from, std::span<std::byte> into) override;

    /// Reads the byte at a mapped address. Fails with `not_allowed` if the system forbids it, with `not_found` if the process does not
    /// exist. The message says what to do.
    [[nodiscard]] result<void> check(address mapped);

private:
    long process_;
};

/// The processor time that the calling thread has used. Where the system does not know it: the time of a steady clock.
[[nodiscard]] std::chrono::nanoseconds used_thread_time();

/// The memory of this process.
[[nodiscard]] process_memory own_memory();

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
