#include <pyaichat/message/stop_reason.hpp>

#include <pyaichat/core/detail/names.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(stop_reason reason) noexcept {
    return detail::word_of(reason);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
