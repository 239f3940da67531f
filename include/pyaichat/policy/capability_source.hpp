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

/// Declares capabilities and runs them.
///
/// Both members are called by the driver on the pumping thread only, so a host needs no lock.
///
/// `specs` is called once per model call, and the calls of that response are checked against its list. Keep what `declare` returns and
/// return copies of it: a list that is another object is a changed one, which is encoded and recorded again. If `specs` fails, the run ends
/// as `misconfigured`.
///
/// `invoke` is called only for declared names, with an object as arguments. It replies through the responder now or later, from any
/// thread, and holds the pumping thread while it runs. If it fails, it gives an error reply; something thrown counts as `internal`, a
/// dropped responder as `abandoned`.
template <class S>
concept capability_source = std::move_constructible<S> && detail::declares<S> && detail::invokes<S>;

namespace detail {

/// Whether calls of `S` have to be shown to it first.
template <class S>
[[nodiscard]] constexpr bool has_review() noexcept {
    static_assert(
        reviews<S> || !requires { &unwrapped_t<S>::review; },
        "the member `review` of a capability source takes a std::span<const pyaichat::proposed_call> and returns a "
        "std::vector<pyaichat::call_decision>; with another signature its calls would run unasked");
    return reviews<S>;
}

}  // namespace detail

/// A source that decides about its own calls, like an approval policy: `review` is called with the calls of a batch that are its own,
/// before any of them runs. `source | approve{policy}` makes one.
template <class S>
concept reviewing_source = capability_source<S> && detail::reviews<S>;

/// The null model: declares nothing.
struct no_capabilities {
    [[nodiscard]] result<capability_list> specs() const { return capability_list(); }
    void invoke(const capability_call&, capability_responder) {}
};

}  // namespace pyaichat::inline PYAICHAT_ABI
