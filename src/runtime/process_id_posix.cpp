#include "runtime/process_id.hpp"

#include <unistd.h>

namespace pyaichat::inline PYAICHAT_ABI::detail {

long process_id() noexcept {
    return ::getpid();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
