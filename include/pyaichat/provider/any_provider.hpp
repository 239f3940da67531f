#pragma once
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <concepts>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyaichat::inline v0 {

/// A provider of any type behind one type. Models `model_provider`; copies share the provider.
class any_provider {
public:
    any_provider() : any_provider(no_provider{}) {}

    template <class P>
    requires(!std::same_as<std::remove_cvref_t<P>, any_provider> && model_provider<std::remove_cvref_t<P>>) any_provider(P&& provider)
        : self_(std::make_shared<model<std::remove_cvref_t<P>>>(std::forward<P>(provider))), lent_(is_borrowed<std::remove_cvref_t<P>>) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
        return self_->complete(request, sink, cancel);
    }

    /// Whether the provider belongs to somebody else, so that an agent has to wait for it.
    [[nodiscard]] bool lent() const noexcept { return lent_; }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual result<model_response> complete(const model_request&, const delta_sink&, const cancel_token&) = 0;
    };
    template <class P>
    struct model final : concept_ {
        template <class T>
        explicit model(T&& value) : value_(std::forward<T>(value)) {}
        result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) override {
            return value_.complete(request, sink, cancel);
        }
        P value_;
    };

    std::shared_ptr<concept_> self_;
    bool lent_;
};

}  // namespace pyaichat::inline v0
