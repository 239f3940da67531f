#pragma once
#include <pyaichat/provider/any_provider.hpp>

#include <array>
#include <functional>
#include <span>
#include <tuple>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

/// Returns whether another provider may succeed after a failure with this code. False for `cancelled`, and for codes that mean a wrong
/// request or setup, which every provider would refuse: `invalid_argument`, `name_clash`, `not_found`, `not_allowed`.
[[nodiscard]] bool another_may_help(errc code) noexcept;

namespace detail {

using provider_attempt = std::function<result<model_response>(const model_request&, const delta_sink&, const cancel_token&)>;

/// Makes the attempts in their order, until one settles the model call.
[[nodiscard]] result<model_response> try_in_order(std::span<const provider_attempt> attempts, const model_request& request,
                                                  const delta_sink& sink, const cancel_token& cancel);

}  // namespace detail

/// Several providers as one, tried in their order: `fallback(ai::gemini{...}, ai::offline{})`. Thread-safe if all providers are.
///
/// If a provider throws, or fails with a code for which `another_may_help`, its deltas are withdrawn and the next provider is called. All
/// providers share the deadline of the model call: the next of N that are left gets an N-th of the remaining time. A successful response is
/// returned as it is. Messages in the wire form of another provider are encoded from their parts.
///
/// If a failure settles the call, that failure is returned. If all providers fail, the failure that a retry may fix soonest is returned,
/// else the first. Its message names the failures of all providers.
template <class... Providers>
class fallback {
    static_assert(sizeof...(Providers) > 0, "give pyaichat::fallback one or more providers");
    static_assert((detail::is_provider<Providers>() && ...));
    static_assert((model_provider<Providers> && ...), "give pyaichat::fallback an asynchronous provider as pyaichat::any_provider");

public:
    explicit fallback(Providers... providers) : providers_(std::move(providers)...) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
        return std::apply(
            [&](Providers&... each) {
                const std::array<detail::provider_attempt, sizeof...(Providers)> attempts{
                    [&each](const model_request& rest, const delta_sink& shown, const cancel_token& token) {
                        return each.complete(rest, shown, token);
                    }...};
                return detail::try_in_order(attempts, request, sink, cancel);
            },
            providers_);
    }

    /// See `is_lent`.
    [[nodiscard]] bool lent() const noexcept {
        return std::apply([](const Providers&... each) { return (is_lent(each) || ...); }, providers_);
    }

    /// See the function `takes_answer_schema`. All providers must take it.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const {
        return std::apply([&](const Providers&... each) { return (pyaichat::takes_answer_schema(each, schema) && ...); }, providers_);
    }

    /// See the function `tells_cost`. All providers must tell it.
    [[nodiscard]] bool tells_cost() const noexcept {
        return std::apply([](const Providers&... each) { return (pyaichat::tells_cost(each) && ...); }, providers_);
    }

private:
    std::tuple<Providers...> providers_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
