#pragma once
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/provider/model_price.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Sets the cost of a response that has none. Without token counts the cost is not known, unless the model is free.
inline void set_cost(result<model_response>& outcome, const model_price& price) {
    if (outcome && !outcome->cost && (price.is_free() || outcome->usage.total() > 0)) {
        outcome->cost = price.cost(outcome->usage);
    }
}

}  // namespace detail

/// A provider whose responses have a cost, for `limits::max_cost` and `answer::cost`: `priced{ai::gemini{options}, price}`. In a
/// `fallback`, each provider has its own price. Thread-safe if the provider is.
template <class P>
class priced : public detail::policy_wrapper<P> {
    static_assert(detail::is_provider<P>());

public:
    priced(P provider, model_price price) : detail::policy_wrapper<P>(std::move(provider)), price_(price) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel)
        requires detail::completes<P>
    {
        result<model_response> outcome = this->target().complete(request, sink, cancel);
        detail::set_cost(outcome, price_);
        return outcome;
    }
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply)
        requires detail::starts<P>
    {
        this->target().start(request, sink, cancel,
                             model_reply([price = price_, reply = std::move(reply)](result<model_response>&& outcome) mutable {
                                 detail::set_cost(outcome, price);
                                 reply(std::move(outcome));
                             }));
    }

    /// See the function `tells_cost`.
    [[nodiscard]] static constexpr bool tells_cost() noexcept { return true; }

private:
    model_price price_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
