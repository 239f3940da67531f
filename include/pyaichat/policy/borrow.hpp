#pragma once
#include <pyaichat/policy/detail/policy_wrapper.hpp>

#include <concepts>

namespace pyaichat::inline PYAICHAT_ABI {

/// A policy that belongs to somebody else. Models whatever concept `T` models, also when `T` cannot be moved.
template <class T>
class borrowed : public detail::policy_wrapper<T, T*> {
public:
    template <std::same_as<T> U>  // for the reason that its base has
    explicit borrowed(U& target) noexcept : detail::policy_wrapper<T, T*>(&target) {}

    [[nodiscard]] T& get() const noexcept { return this->target(); }

    /// For a provider: an agent has to wait for it.
    [[nodiscard]] static constexpr bool lent() noexcept { return true; }
};

/// Lends a policy instead of giving it away. `target` outlives the agent, its runs, and the tasks of the executor; an agent with a borrowed
/// provider waits in its destructor until that provider has returned from every call.
template <class T>
[[nodiscard]] borrowed<T> borrow(T& target) noexcept {
    return borrowed<T>(target);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
