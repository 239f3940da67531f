#include "net/fork_mark.hpp"

#include "runtime/process_id.hpp"

#include <sys/mman.h>
#include <unistd.h>

namespace pyaichat::inline PYAICHAT_ABI::net {

#if defined(MADV_WIPEONFORK)
namespace {

std::size_t mark_bytes() noexcept {
    return static_cast<std::size_t>(::sysconf(_SC_PAGESIZE));
}

}  // namespace

fork_mark::fork_mark() noexcept : process_(detail::process_id()) {
    void* const page = ::mmap(nullptr, mark_bytes(), PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return;
    }
    if (::madvise(page, mark_bytes(), MADV_WIPEONFORK) != 0) {  // Linux before 4.14
        ::munmap(page, mark_bytes());
        return;
    }
    page_ = static_cast<char*>(page);
    *page_ = 1;
}

fork_mark::~fork_mark() {
    if (page_ != nullptr) {
        ::munmap(const_cast<char*>(page_), mark_bytes());
    }
}
#else
fork_mark::fork_mark() noexcept : process_(detail::process_id()) {}
fork_mark::~fork_mark() = default;
#endif

bool fork_mark::forked() const noexcept {
    return page_ != nullptr ? *page_ == 0 : process_ != detail::process_id();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
