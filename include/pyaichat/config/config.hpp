#pragma once
/// Compile-time configuration: the ABI version, the assertion handler, and whether exceptions are enabled.

/// The inline namespace of all names of the SDK. Two versions in one process have different namespaces and share no symbols.
#define PYAICHAT_ABI v0

/// Reports a contract violation by the *caller*. (Errors at run time are returned as a `result`.)
/// To use the host's handler, define the macro before the first include, alike in every translation unit.
#if !defined(PYAICHAT_ASSERT)
    #include <cassert>
    #define PYAICHAT_ASSERT(condition, text) assert((condition) && (text))
#endif

#if defined(__cpp_exceptions) || defined(_CPPUNWIND)
    #define PYAICHAT_HAS_EXCEPTIONS 1
#else
    #define PYAICHAT_HAS_EXCEPTIONS 0
#endif
