#pragma once

namespace support {

/// Whether a sanitizer watches this build. The address sanitizer keeps up to 256 MiB of freed memory for a while, needs more address space
/// than a limit allows, and does not free its locks in a forked child.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#elif defined(__has_feature)
    #if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
inline constexpr bool sanitized = true;
    #else
inline constexpr bool sanitized = false;
    #endif
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace support
