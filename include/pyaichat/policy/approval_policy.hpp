#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/call_decision.hpp>

#include <concepts>
#include <memory>
#include <span>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Decides which proposed calls may run.
///
/// Called by the driver on the pumping thread with all calls of one response that could be run (known name, fitting arguments, within the
/// limits), before any of them runs; answers with one decision for each, in their order, without blocking: what needs a person is `ask`.
/// Failing closed: calls that it leaves without a decision, and all of them when it throws, are denied.
template <class P>
concept approval_policy = std::move_constructible<P> && requires(P& policy, std::span<const proposed_call> batch) {
    { policy.decide(batch) } -> std::same_as<std::vector<call_decision>>;
};

/// The null model: has no opinion.
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

/// Means to decide and does not.
template <class P>
concept almost_decides = !approval_policy<P> && !decides_one<P> && (requires { &P::decide; } || std::invocable<P&, const proposed_call&>);
}  // namespace detail

/// A function that decides about one call at a time, as a policy: `approve_each{[](const proposed_call& call) { ... }}`.
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

/// Allows everything, or asks a person about everything but `read`.
[[nodiscard]] inline call_decision allow_all(const proposed_call&) {
    return call_decision::allow();
}
[[nodiscard]] inline call_decision ask_before_effects(const proposed_call& call) {
    return call.effects == effects::read ? call_decision::allow() : call_decision::ask();
}

/// An approval policy of any type, or a function of one call; empty = none. Copies share it.
class any_approval_policy {
public:
    any_approval_policy() = default;

    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, any_approval_policy> && approval_policy<std::remove_cvref_t<P>>)
    any_approval_policy(P&& policy)
        : decide_(std::make_shared<decider>(
              [own = std::forward<P>(policy)](std::span<const proposed_call> batch) mutable { return own.decide(batch); })) {}

    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, any_approval_policy> && !approval_policy<std::decay_t<F>> &&
                 detail::decides_one<std::decay_t<F>>)
    any_approval_policy(F&& decide) : any_approval_policy(approve_each<std::decay_t<F>>(std::forward<F>(decide))) {}

    template <class P>
        requires(!std::same_as<std::remove_cvref_t<P>, any_approval_policy> && detail::almost_decides<std::decay_t<P>>)
    any_approval_policy(P&&) {
        static_assert(approval_policy<std::decay_t<P>>,
                      "an approval policy is a function of a const pyaichat::proposed_call& that returns a pyaichat::call_decision, or has "
                      "`std::vector<call_decision> decide(std::span<const proposed_call>)`; what cannot be moved is given as "
                      "pyaichat::borrow");
    }

    [[nodiscard]] explicit operator bool() const noexcept { return decide_ != nullptr; }

    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch) {
        return decide_ ? (*decide_)(batch) : no_approval_policy{}.decide(batch);
    }

private:
    using decider = unique_function<std::vector<call_decision>(std::span<const proposed_call>)>;

    std::shared_ptr<decider> decide_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
