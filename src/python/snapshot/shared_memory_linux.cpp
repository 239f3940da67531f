#include "python/snapshot/seal.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>
#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Shared memory up to this total becomes private, so that code can write to its copy. Larger mappings become read-only.
constexpr std::size_t copied_shared_memory = std::size_t{64} << 20;
/// More than the text of `/proc/self/maps` with the greatest number of mappings that the kernel allows by default.
constexpr std::size_t mappings_text = std::size_t{16} << 20;

struct mapping {
    std::uintptr_t begin = 0;
    std::uintptr_t end = 0;
    int protection = 0;
    bool shared = false;
    std::string_view path = {};

    [[nodiscard]] void* address() const noexcept { return reinterpret_cast<void*>(begin); }
    [[nodiscard]] std::size_t size() const noexcept { return end - begin; }
    [[nodiscard]] bool writable() const noexcept { return (protection & PROT_WRITE) != 0; }
    /// Whether reading it may have effects: memory of devices, and rings that the kernel shares with the process.
    [[nodiscard]] bool device() const noexcept {
        const bool memory_file = path.starts_with("/dev/shm/") || path.starts_with("/dev/zero");
        return (path.starts_with("/dev/") && !memory_file) || path.starts_with("/dmabuf") || (!path.empty() && path.front() != '/');
    }
};

/// Reads one line: `7f00-7f10 rw-s 00000000 00:01 1034  /path`.
mapping parse_mapping(const char* line, std::size_t size) noexcept {
    mapping found;
    char* at = nullptr;
    found.begin = std::strtoull(line, &at, 16);
    found.end = std::strtoull(at + 1, &at, 16);
    ++at;
    found.protection = (at[0] == 'r' ? PROT_READ : 0) | (at[1] == 'w' ? PROT_WRITE : 0) | (at[2] == 'x' ? PROT_EXEC : 0);
    found.shared = at[3] == 's';
    std::string_view rest(at, static_cast<std::size_t>(line + size - at));
    for (int field = 0; field < 4; ++field) {
        rest.remove_prefix(std::min(rest.find(' '), rest.size()));
        rest.remove_prefix(std::min(rest.find_first_not_of(' '), rest.size()));
    }
    found.path = rest;
    return found;
}

/// Copies memory of this process. The kernel does it, because pages behind the end of a mapped file cannot be read: they stay zero.
/// Returns false if the kernel does not do it.
bool copy_readable(const mapping& from, char* to) noexcept {
    const auto page = static_cast<std::size_t>(sysconf(_SC_PAGESIZE));
    for (std::size_t done = 0; done < from.size();) {
        const iovec source = {static_cast<char*>(from.address()) + done, from.size() - done};
        const iovec target = {to + done, from.size() - done};
        const ssize_t copied = process_vm_readv(getpid(), &target, 1, &source, 1, 0);
        if (copied < 0 && errno != EFAULT) {
            return false;
        }
        done += copied > 0 ? static_cast<std::size_t>(copied) : page;
    }
    return true;
}

/// Replaces a shared mapping by a private copy.
bool make_private(const mapping& shared) noexcept {
    void* copy = mmap(nullptr, shared.size(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (copy == MAP_FAILED) {
        return false;
    }
    if (copy_readable(shared, static_cast<char*>(copy)) && mprotect(copy, shared.size(), shared.protection) == 0 &&
        mremap(copy, shared.size(), shared.size(), MREMAP_MAYMOVE | MREMAP_FIXED, shared.address()) != MAP_FAILED) {
        return true;
    }
    munmap(copy, shared.size());
    return false;
}

/// Takes rights from a mapping, for good where the kernel can (Linux 6.10).
bool restrict(const mapping& shared, int protection) noexcept {
    constexpr long seal_mapping = 462;  // mseal, which most headers lack
    if (protection != shared.protection && mprotect(shared.address(), shared.size(), protection) != 0) {
        return false;
    }
    static_cast<void>(syscall(seal_mapping, shared.address(), shared.size(), 0UL));
    return true;
}

bool detach(const mapping& shared, std::size_t& budget) noexcept {
    if (shared.device()) {
        return restrict(shared, PROT_NONE);
    }
    if (shared.writable() && shared.size() <= budget && make_private(shared)) {
        budget -= shared.size();
        return true;
    }
    return restrict(shared, shared.protection & ~PROT_WRITE);
}

std::size_t read_mappings(char* text) noexcept {
    const int file = open("/proc/self/maps", O_RDONLY | O_CLOEXEC);
    std::size_t size = 0;
    while (file >= 0 && size < mappings_text) {
        const ssize_t got = read(file, text + size, mappings_text - size);
        if (got <= 0) {
            break;
        }
        size += static_cast<std::size_t>(got);
    }
    if (file >= 0) {
        close(file);
    }
    return size < mappings_text ? size : 0;  // an incomplete list is of no use
}

bool detach_listed(const char* text, std::size_t size) noexcept {
    std::size_t budget = copied_shared_memory;
    for (const char* line = text; line < text + size;) {
        const auto* end = static_cast<const char*>(std::memchr(line, '\n', static_cast<std::size_t>(text + size - line)));
        if (end == nullptr) {
            return false;
        }
        const mapping each = parse_mapping(line, static_cast<std::size_t>(end - line));
        if (each.shared && !detach(each, budget)) {
            return false;
        }
        line = end + 1;
    }
    return size > 0;
}

}  // namespace

bool detach_shared_memory() noexcept {
    // The list is read completely before any mapping changes.
    void* text = mmap(nullptr, mappings_text, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (text == MAP_FAILED) {
        return false;
    }
    const bool done = detach_listed(static_cast<char*>(text), read_mappings(static_cast<char*>(text)));
    munmap(text, mappings_text);
    return done;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
