#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/policy/detail/policy_wrapper.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Decides which proposed calls may run.
///
/// The driver calls `decide` on the pumping thread before any call of a response runs. `batch` has all valid calls of the response: known
/// name, valid arguments, within the limits. `decide` returns one decision per call, in the same order. It must not block: to involve a
/// person, return `ask`. A call without a decision is denied. If `decide` throws, all calls are denied.
template <class P>
concept approval_policy = std::move_constructible<P> && requires(P& policy, std::span<const proposed_call> batch) {
    { policy.decide(batch) } -> std::same_as<std::vector<call_decision>>;
};

/// The null policy: abstains from every decision.
struct no_approval_policy {
    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch) const {
        return std::vector<call_decision>(batch.size());
    }
};

namespace detail {
template <class F>
concept decides_one = requires(F& decide, const proposed_call& call) {
    { decide(call) } -> std::same_as<call_decision>;
};

}  // namespace detail

/// An approval policy that calls a function for each call: `approve_each{[](const proposed_call& call) { ... }}`.
template <detail::decides_one F>
class approve_each {
public:
    explicit approve_each(F body) : decide_(std::move(body)) {}

    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch) {
        std::vector<call_decision> decisions;
        for (const proposed_call& call : batch) {
            decisions.push_back(decide_(call));
        }
        return decisions;
    }

private:
    F decide_;
};

/// Allows every call. A function for `any_approval_policy`.
[[nodiscard]] inline call_decision allow_all(const proposed_call&) {
    return call_decision::allow();
}

/// Allows calls with the effects `read`, and asks a person about all others. A function for `any_approval_policy`.
[[nodiscard]] inline call_decision ask_before_effects(const proposed_call& call) {
    return call.effects == effects::read ? call_decision::allow() : call_decision::ask();
}

/// Holds an approval policy of any type, or a function that decides about one call. May be empty. Copies share the policy.
class any_approval_policy {
public:
    any_approval_policy() = default;  ///< empty

    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, any_approval_policy> && approval_policy<std::remove_cvref_t<P>>)
    any_approval_policy(P&& policy)
        : decide_([shared = std::make_shared<std::remove_cvref_t<P>>(std::forward<P>(policy))](std::span<const proposed_call> batch) {
              return shared->decide(batch);
          }) {
        static_assert(detail::can_store<P>());
    }

    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, any_approval_policy> && !approval_policy<std::decay_t<F>> &&
                 detail::decides_one<std::decay_t<F>>)
    any_approval_policy(F&& decide) : any_approval_policy(approve_each<std::decay_t<F>>(std::forward<F>(decide))) {}

    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, any_approval_policy> && !approval_policy<std::remove_cvref_t<P>> &&
                 !detail::decides_one<std::decay_t<P>>)
    any_approval_policy(P&&) {
        static_assert(approval_policy<std::remove_cvref_t<P>>,
                      "an approval policy is a function of a const pyaichat::proposed_call& that returns a pyaichat::call_decision, or has "
                      "`std::vector<call_decision> decide(std::span<const proposed_call>)`; pass a policy that cannot be moved, or "
                      "that a pointer owns, as pyaichat::borrow(policy)");
    }

    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(decide_); }

    /// Calls the policy. An empty object abstains.
    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch) {
        return decide_ ? decide_(batch) : no_approval_policy{}.decide(batch);
    }

private:
    std::function<std::vector<call_decision>(std::span<const proposed_call>)> decide_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
