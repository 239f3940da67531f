#include "allocations.hpp"

#include <cstdlib>
#include <new>

namespace {

thread_local std::uint64_t count = 0;

}  // namespace

std::uint64_t bench::allocations() noexcept {
    return count;
}

// The other forms (array, sized, nothrow) come down to these two.
void* operator new(std::size_t size) {
    ++count;
    if (void* memory = std::malloc(size == 0 ? 1 : size)) {
        return memory;
    }
    throw std::bad_alloc();
}
void operator delete(void* memory) noexcept {
    std::free(memory);
}
void operator delete(void* memory, std::size_t) noexcept {
    std::free(memory);
}
