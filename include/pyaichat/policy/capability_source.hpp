#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_list.hpp>
#include <pyaichat/message/capability_responder.hpp>
#include <pyaichat/policy/detail/policy_wrapper.hpp>

#include <concepts>
#include <span>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

template <class S>
concept declares = requires(const S& source) {
    { source.specs() } -> std::same_as<result<capability_list>>;
};
template <class S>
concept invokes = requires(S& source, const capability_call& call, capability_responder responder) {
    { source.invoke(call, std::move(responder)) } -> std::same_as<void>;
};
template <class S>
concept reviews = requires(S& source, std::span<const proposed_call> batch) {
    { source.review(batch) } -> std::same_as<std::vector<call_decision>>;
};

}  // namespace detail

/// Declares capabilities and runs them. The driver calls all members on the pumping thread only, so a host needs no lock.
///
/// `specs` is called before each model call, whose response is validated against the returned list, and again before each review and each
/// call of a capability, which is denied if its declaration has changed since. Keep the result of `declare` and return copies of it:
/// another object counts as a change of the list. If `specs` fails before a model call, the run ends as `misconfigured`.
///
/// `invoke` is called only for declared names, with validated arguments. It replies through the responder, now or later, on any thread. It
/// blocks the pumping thread while it runs. To fail, reply with an error. If `invoke` throws, the reply is `internal`; if it drops the
/// responder, the reply is `abandoned`.
template <class S>
concept capability_source = std::move_constructible<S> && detail::declares<S> && detail::invokes<S>;

namespace detail {

/// Returns true. Does not compile if `S` is not a source.
template <class S>
constexpr bool is_source() noexcept {
    static_assert(capability_source<S>,
                  "capabilities are sources such as pyaichat::capability(\"name\", \"description\", function); a source of your own has "
                  "`result<capability_list> specs() const` and `void invoke(const capability_call&, capability_responder)`; pass a source "
                  "that cannot be moved, or that a pointer owns, as pyaichat::borrow(source)");
    return true;
}

/// Returns whether `S` reviews its calls.
template <class S>
[[nodiscard]] constexpr bool has_review() noexcept {
    static_assert(
        reviews<S> || !requires { &unwrapped_t<S>::review; },
        "the member `review` of a capability source takes a std::span<const pyaichat::proposed_call> and returns a "
        "std::vector<pyaichat::call_decision>; with another signature its calls would run without a review");
    return reviews<S>;
}

}  // namespace detail

/// A source that decides about its own calls. `review` works like `approval_policy::decide`, but gets only the calls to this source.
/// `source | approve{policy}` makes such a source.
template <class S>
concept reviewing_source = capability_source<S> && detail::reviews<S>;

/// The null source: declares nothing.
struct no_capabilities {
    [[nodiscard]] result<capability_list> specs() const { return capability_list(); }
    void invoke(const capability_call&, capability_responder) {}
};

}  // namespace pyaichat::inline PYAICHAT_ABI
