#pragma once
#include <pyaichat/capability/detail/joined_specs.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Several sources as one, as `combine` makes it. Models `capability_source`, with `review`.
template <capability_source... Sources>
class combined {
public:
    explicit combined(Sources... sources) : sources_(std::move(sources)...) {}

    [[nodiscard]] std::span<const capability_spec> specs() const {
        joined_.begin();
        std::apply([&](const Sources&... each) { (joined_.add_source(each), ...); }, sources_);
        return joined_.finish();
    }

    void invoke(const capability_call& call, capability_responder responder) {
        if (!std::apply([&](Sources&... each) { return (detail::invoked_by(each, call, responder) || ...); }, sources_)) {
            responder(detail::no_longer_declared(call.name));
        }
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) {
        detail::joined_review decided(batch);
        std::apply([&](Sources&... each) { (decided.ask(each), ...); }, sources_);
        return std::move(decided).decisions();
    }
    [[nodiscard]] bool has_say() const {
        return std::apply([](const Sources&... each) { return (detail::has_say(each) || ...); }, sources_);
    }

    /// Another number whenever `specs`, called before, has found something changed.
    [[nodiscard]] std::uint64_t specs_revision() const noexcept { return joined_.specs_revision(); }

private:
    std::tuple<Sources...> sources_;
    mutable detail::joined_specs joined_;  // read anew by specs()
};

/// Puts sources together, in their order, where the set is known when the program is written: `combine(session, plugins, capability(...))`.
/// Nothing is erased. Two capabilities of one name are a `name_clash`, found when they are declared (`declare(all.specs())`, or a run,
/// which ends as `misconfigured`): its text says whose both are, and `prefix` mends it.
template <capability_source... Sources>
[[nodiscard]] combined<Sources...> combine(Sources... sources) {
    return combined<Sources...>(std::move(sources)...);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
