#pragma once
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Whether another service may be able to do what one failed to do with this code. Not when nobody waits any more (`cancelled`), and not
/// when the request or the host is at fault in a way that meets every service alike (`invalid_argument`, `name_clash`, `not_found`,
/// `not_allowed`).
[[nodiscard]] bool another_may_help(errc code) noexcept;

namespace detail {

/// One model call over several providers: what has been tried, shown and told so far.
class fallback_attempts {
public:
    fallback_attempts(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// Whether there is nothing left to try after this provider.
    template <class P>
    [[nodiscard]] bool settled_by(P& provider) {
        if (!begin()) {
            return true;
        }
        const delta_sink watched = watch();
        return end(guarded([&] { return provider.complete(request_, watched, cancel_); },
                           [](std::string_view what) {
                               return result<model_response>(
                                   failure{.code = errc::internal, .message = "the provider threw: " + std::string(what)});
                           }));
    }

    [[nodiscard]] result<model_response> outcome() &&;

private:
    struct screen;

    [[nodiscard]] bool begin();
    [[nodiscard]] delta_sink watch();
    [[nodiscard]] bool end(result<model_response> came);

    model_request request_;  // a copy shares its messages and declarations
    const delta_sink& sink_;
    const cancel_token& cancel_;
    std::chrono::steady_clock::time_point from_ = std::chrono::steady_clock::now();
    duration time_left_;  // when it began
    std::shared_ptr<screen> screen_;
    std::vector<failure> failures_;
    result<model_response> outcome_ = failure{};
};

}  // namespace detail

/// Several providers as one: `fallback(ai::gemini{...}, ai::offline{})`. Models `model_provider`; safe to call concurrently if they are.
///
/// They are asked in their order, under the deadline of the one model call: a later one has the time that the earlier ones have left. The
/// next one is asked when one fails with a code for which `another_may_help`, a thrown exception included; what the failed one has shown is
/// withdrawn. A response is taken as it is, whatever the model says in it. Messages in another provider's wire form are encoded by their
/// parts.
///
/// Failing: as the last provider asked did, if no other could help it; when all have failed, with the failure that time mends soonest, so
/// that the loop may try all of them again, else with the first; the message tells of all.
template <model_provider... Providers>
class fallback {
    static_assert(sizeof...(Providers) > 0, "give pyaichat::fallback one or more providers");

public:
    explicit fallback(Providers... providers) : providers_(std::move(providers)...) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
        detail::fallback_attempts attempts(request, sink, cancel);
        std::apply([&](Providers&... each) { static_cast<void>((attempts.settled_by(each) || ...)); }, providers_);
        return std::move(attempts).outcome();
    }

    /// Whether one of them belongs to somebody else.
    [[nodiscard]] bool lent() const noexcept {
        return std::apply([](const Providers&... each) { return (is_lent(each) || ...); }, providers_);
    }

private:
    std::tuple<Providers...> providers_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
