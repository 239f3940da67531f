#include <pyaichat/schema/encode.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

failure no_enumerator(std::int64_t value) {
    return {.code = errc::internal,
            .message = "the value " + std::to_string(value) + " of an enumeration has no name; list it in pyaichat::describe",
            .hint = "The result could not be sent: one of its values has no name."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
