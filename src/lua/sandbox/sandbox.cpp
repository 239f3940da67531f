#include <pyaichat/lua/sandbox.hpp>

namespace pyaichat::inline PYAICHAT_ABI::lua {

result<void> check(const sandbox& limits) {
    const auto refused = [](std::string what, std::string hint) {
        return failure{.code = errc::invalid_argument, .message = "lua::sandbox: " + std::move(what), .hint = std::move(hint)};
    };
    if (limits.memory < (std::size_t{256} << 10)) {
        return refused("`memory` is too small for a plugin", "Set `memory` to at least 256 KiB.");
    }
    if (limits.instructions == 0) {
        return refused("`instructions` is zero", "Set `instructions` above zero.");
    }
    if (limits.time <= duration::zero() || limits.hook_time <= duration::zero()) {
        return refused("`time` or `hook_time` is not above zero", "Set both above zero.");
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua
