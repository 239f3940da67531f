#pragma once
#include <pyaichat/core/detail/reply_once.hpp>

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
template <class T>
struct hook_terms {
    static constexpr const char* twice = "a hook answered twice";
    [[nodiscard]] static std::optional<T> when_dropped() noexcept { return std::nullopt; }
};
}  // namespace detail

/// Where a hook that answers later gives its answer: exactly once, from any thread. Dropped, the hook counts as failed. An answer for which
/// the run did not wait any longer is fine and has no effect.
template <class T>
class hook_responder : public detail::reply_once<std::optional<T>, detail::hook_terms<T>> {
public:
    using detail::reply_once<std::optional<T>, detail::hook_terms<T>>::reply_once;
    using detail::reply_once<std::optional<T>, detail::hook_terms<T>>::release;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
