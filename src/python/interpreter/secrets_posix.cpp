#include "python/interpreter/secrets.hpp"

#include <fcntl.h>
#include <unistd.h>
#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>

#if defined(__linux__)
    #include <sys/uio.h>
#endif

extern "C" char** environ;

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

#if defined(__linux__)

/// The memory in which the kernel placed the environment when the program started. `/proc/self/environ` shows it.
struct original_environment {
    char* begin = nullptr;
    char* end = nullptr;
};

original_environment find_original_environment() noexcept {
    std::array<char, 4096> text = {};
    const int file = open("/proc/self/stat", O_RDONLY | O_CLOEXEC);
    const ssize_t size = file < 0 ? -1 : read(file, text.data(), text.size() - 1);
    if (file >= 0) {
        close(file);
    }
    // The second field, the name of the program, may have spaces. The fields 50 and 51 are the addresses.
    const char* at = size > 0 ? std::strrchr(text.data(), ')') : nullptr;
    if (at == nullptr) {
        return {};
    }
    for (int field = 2; field < 50; ++field) {
        at = std::strchr(at + 1, ' ');
        if (at == nullptr) {
            return {};
        }
    }
    char* rest = nullptr;
    const std::uintptr_t begin = std::strtoull(at, &rest, 10);
    const std::uintptr_t end = std::strtoull(rest, nullptr, 10);
    return begin < end ? original_environment{reinterpret_cast<char*>(begin), reinterpret_cast<char*>(end)} : original_environment();
}

/// Overwrites a text. The kernel does it, because the text may be a constant (`putenv("TOKEN=x")`), which must not crash.
void wipe(char* text, std::size_t size) noexcept {
    static constexpr std::array<char, 4096> zeros = {};
    for (std::size_t done = 0; done < size;) {
        const iovec source = {const_cast<char*>(zeros.data()), std::min(size - done, zeros.size())};
        const iovec target = {text + done, source.iov_len};
        if (process_vm_writev(getpid(), &source, 1, &target, 1, 0) <= 0) {
            return;
        }
        done += source.iov_len;
    }
}

void wipe_original_environment() noexcept {
    const original_environment block = find_original_environment();
    for (char* at = block.begin; at < block.end;) {
        const std::size_t size = strnlen(at, static_cast<std::size_t>(block.end - at));
        const char* equals = static_cast<const char*>(std::memchr(at, '=', size));
        if (equals != nullptr && names_secret({at, static_cast<std::size_t>(equals - at)})) {
            std::memset(at, 0, size);
        }
        at += size + 1;
    }
}

#else

void wipe(char*, std::size_t) noexcept {}
void wipe_original_environment() noexcept {}

#endif

}  // namespace

void wipe_secrets_of_process() noexcept {
    char** kept = environ;
    for (char** each = environ; each != nullptr && *each != nullptr; ++each) {
        const char* equals = std::strchr(*each, '=');
        if (equals != nullptr && names_secret({*each, static_cast<std::size_t>(equals - *each)})) {
            wipe(*each + (equals - *each), std::strlen(equals));
        } else {
            *kept++ = *each;
        }
    }
    if (kept != nullptr) {
        *kept = nullptr;
    }
    wipe_original_environment();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
