#pragma once
#include <pyaichat/policy/detail/policy_wrapper.hpp>

#include <concepts>

namespace pyaichat::inline PYAICHAT_ABI {

/// A reference to a policy that the agent does not own. Satisfies the same concepts as `T`, even if `T` cannot be moved.
template <class T>
class borrowed : public detail::policy_wrapper<T, T*> {
public:
    template <std::same_as<T> U>  // a template for the same reason as the constructor of the base
    explicit borrowed(U& target) noexcept : detail::policy_wrapper<T, T*>(&target) {}

    /// Returns the policy.
    [[nodiscard]] T& get() const noexcept { return this->target(); }

    /// See `is_lent`.
    [[nodiscard]] static constexpr bool lent() noexcept { return true; }
};

/// Lends a policy to an agent without passing ownership. `target` must outlive the agent, its runs and the tasks of the executor. The
/// destructor of an agent waits until a borrowed provider has returned from every call.
template <class T>
[[nodiscard]] borrowed<T> borrow(T& target) noexcept {
    return borrowed<T>(target);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
