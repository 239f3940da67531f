#include "process/descriptor.hpp"

#include <unistd.h>

namespace pyaichat::inline PYAICHAT_ABI::process {

void descriptor::close() noexcept {
    if (number_ >= 0) {
        ::close(std::exchange(number_, -1));
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
