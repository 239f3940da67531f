#include <pyaichat/core/failure.hpp>

#include <pyaichat/core/detail/names.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

std::string_view to_string(errc code) noexcept {
    return detail::word_of(code);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
