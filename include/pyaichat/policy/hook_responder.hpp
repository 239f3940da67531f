#pragma once
#include <pyaichat/core/detail/reply_once.hpp>

#include <optional>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
template <class T>
struct hook_terms {
    static constexpr const char* twice = "a hook replied twice";
    [[nodiscard]] static std::optional<T> when_dropped() noexcept { return std::nullopt; }
};
}  // namespace detail

/// A callback that takes the result of an asynchronous hook. Call it exactly once, now or later, on any thread. If it is destroyed before
/// that, the hook has failed. A result that arrives after the deadline has no effect.
template <class T>
class hook_responder : public detail::reply_once<std::optional<T>, detail::hook_terms<T>> {
public:
    using detail::reply_once<std::optional<T>, detail::hook_terms<T>>::reply_once;
    using detail::reply_once<std::optional<T>, detail::hook_terms<T>>::release;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
