#pragma once
/// Configures the SDK when it is compiled: its ABI version, how a broken contract is reported, and whether exceptions exist.

/// The inline namespace that holds every name of the SDK. Two versions in one process have different ones and share no symbols.
#define PYAICHAT_ABI v0

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
