#include <pyaichat/core/result.hpp>

#include <exception>

namespace pyaichat::inline PYAICHAT_ABI::detail {

std::optional<std::string> run_and_catch(void (*body)(void*), void* context) {
#if PYAICHAT_HAS_EXCEPTIONS
    try {
        body(context);
    } catch (const std::exception& error) {
        return error.what();
    } catch (...) {
        return "something that is not a std::exception was thrown";
    }
#else
    body(context);
#endif
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
