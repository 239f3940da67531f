#pragma once
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_responder.hpp>
#include <pyaichat/message/capability_spec.hpp>

#include <concepts>
#include <span>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Declares capabilities and runs them.
///
/// Both members are called by the driver on the pumping thread only, so a host needs no lock. `specs` stays valid until the source changes;
/// it is copied once per model call, and the calls of that response are gated against the copy. `invoke` is called only for declared names,
/// with an object as arguments; it answers through the responder now or later, from any thread, and holds the pumping thread while it runs.
/// It may have a `std::uint64_t specs_revision() const`: a number, not 0, that is another one whenever `specs`, called before it, returns
/// something else. Then sources that hold others copy what it declares only when it has changed.
/// Failing: an error reply; something thrown counts as `internal`; a dropped responder as `abandoned`.
template <class S>
concept capability_source =
    std::move_constructible<S> && requires(S& source, const S& view, const capability_call& call, capability_responder responder) {
        { view.specs() } -> std::same_as<std::span<const capability_spec>>;
        { source.invoke(call, std::move(responder)) } -> std::same_as<void>;
    };

namespace detail {

template <class S>
concept reviews = requires(S& source, std::span<const proposed_call> batch) {
    { source.review(batch) } -> std::same_as<std::vector<call_decision>>;
};

/// Whether calls of `S` have to be shown to it first.
template <class S>
[[nodiscard]] constexpr bool has_review() noexcept {
    static_assert(
        reviews<S> || !requires { &S::review; },
        "the member `review` of a capability source takes a std::span<const pyaichat::proposed_call> and returns a "
        "std::vector<pyaichat::call_decision>; with another signature its calls would run unasked");
    return reviews<S>;
}

/// Whether anybody in `source` wants to see calls before they run. Many sources have a `review` for what may be in them.
template <class S>
[[nodiscard]] bool has_say(const S& source) {
    if constexpr (requires {
                      { source.has_say() } -> std::same_as<bool>;
                  }) {
        return source.has_say();
    } else {
        return has_review<S>();
    }
}

}  // namespace detail

/// A source that has a say about its own calls, like an approval policy: `review` is called with those of a batch that are its own, before
/// anything runs. `source | approve{policy}` makes one. It may have a `bool has_say() const`: when that is false, it is not asked.
template <class S>
concept reviewing_source = capability_source<S> && detail::reviews<S>;

/// The null model: declares nothing.
struct no_capabilities {
    [[nodiscard]] std::span<const capability_spec> specs() const noexcept { return {}; }
    void invoke(const capability_call&, capability_responder) {}
};

}  // namespace pyaichat::inline PYAICHAT_ABI
