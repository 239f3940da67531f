#pragma once
#include <cstdint>
#include <ctime>

namespace bench {

/// Nanoseconds of CPU that this thread has used.
inline std::int64_t thread_cpu() noexcept {
    timespec spent = {};
    ::clock_gettime(CLOCK_THREAD_CPUTIME_ID, &spent);
    return std::int64_t{spent.tv_sec} * 1'000'000'000 + spent.tv_nsec;
}

/// Nanoseconds of CPU that this process has used, in all of its threads.
inline std::int64_t process_cpu() noexcept {
    timespec spent = {};
    ::clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &spent);
    return std::int64_t{spent.tv_sec} * 1'000'000'000 + spent.tv_nsec;
}

}  // namespace bench
