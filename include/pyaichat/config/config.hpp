#pragma once
/// What can be chosen when the SDK is compiled: how a broken contract is reported, and whether exceptions exist.
///
/// Everything lives in the inline namespace `pyaichat::v0`, so that two versions linked into one process do not share symbols.

/// Called when the *caller* broke a contract (never for what the world did: that is a `result`).
/// Define it before the first include, for every translation unit alike, to report through the host's own handler.
#if !defined(PYAICHAT_ASSERT)
    #include <cassert>
    #define PYAICHAT_ASSERT(condition, text) assert((condition) && (text))
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    #define PYAICHAT_HAS_EXCEPTIONS 1
#else
    #define PYAICHAT_HAS_EXCEPTIONS 0
#endif
