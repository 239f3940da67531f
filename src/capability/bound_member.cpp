#include <pyaichat/capability/detail/bound_member.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

capability_reply object_is_gone(std::string_view name) {
    return reply_error(reply_code::internal,
                       "The object that `" + std::string(name) + "` works on no longer exists. Do not call it again.");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
