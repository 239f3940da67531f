#pragma once
#include <pyaichat/capability/detail/derived_list.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <algorithm>
#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
/// Tests the member first. Otherwise a tuple of sources, asked whether it can be moved, would ask the constructor of `any_capabilities`.
template <class S>
concept erasable_source = declares<S> && capability_source<S>;
}  // namespace detail

/// Holds any number of sources of any type, and satisfies `reviewing_source`. Sources can be added at run time, and may change their
/// declarations between model calls. For a fixed set of sources see `combine`.
class any_capabilities {
public:
    any_capabilities() = default;
    any_capabilities(any_capabilities&&) noexcept = default;
    any_capabilities& operator=(any_capabilities&&) noexcept = default;

    /// Takes sources, or a vector of sources. An invalid declaration or a name clash ends the next run as `misconfigured`; `add` reports it
    /// at once.
    template <class... Sources>
        requires(sizeof...(Sources) > 0 && (!std::same_as<std::remove_cvref_t<Sources>, any_capabilities> && ...) &&
                 (detail::erasable_source<std::remove_cvref_t<Sources>> && ...))
    any_capabilities(Sources&&... sources) : any_capabilities() {
        static_assert((detail::can_store<Sources>() && ...));
        (sources_.push_back(std::make_unique<model<std::remove_cvref_t<Sources>>>(std::forward<Sources>(sources))), ...);
    }
    template <detail::erasable_source Source>
    any_capabilities(std::vector<Source>&& sources) : any_capabilities() {
        for (Source& source : sources) {
            sources_.push_back(std::make_unique<model<Source>>(std::move(source)));
        }
    }

    template <class... Sources>
        requires(sizeof...(Sources) > 0 && (!std::same_as<std::remove_cvref_t<Sources>, any_capabilities> && ...) &&
                 !(detail::erasable_source<std::remove_cvref_t<Sources>> && ...))
    any_capabilities(Sources&&...) : any_capabilities() {
        static_assert((detail::is_source<std::remove_cvref_t<Sources>>() && ...));
    }

    /// Adds a source, unless `specs` would fail with it. Fails with `name_clash` (the message names both origins), `invalid_argument` (an
    /// invalid declaration) or the failure of the source's `specs`.
    template <class Source>
    result<void> add(Source&& source) {
        static_assert(detail::is_source<std::remove_cvref_t<Source>>() && detail::can_store<Source>());
        return add_erased(std::make_unique<model<std::remove_cvref_t<Source>>>(std::forward<Source>(source)));
    }

    /// Returns the declarations of all sources, in the order in which the sources were added.
    [[nodiscard]] result<capability_list> specs() const;
    /// Passes the call to the source that declares it, or replies `unknown_function`.
    void invoke(const capability_call& call, capability_responder responder);
    /// Passes to each reviewing source the calls that it declares. Abstains from the others.
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch);

private:
    /// Returns whether a source reviews its calls. If none does, the driver need not copy the calls for `review`.
    friend bool is_reviewed(const any_capabilities& all) noexcept {
        return std::any_of(all.sources_.begin(), all.sources_.end(), [](const auto& source) { return source->is_reviewing(); });
    }

    struct erased_source {
        virtual ~erased_source() = default;
        [[nodiscard]] virtual result<capability_list> specs() const = 0;
        virtual void invoke(const capability_call& call, capability_responder responder) = 0;
        virtual void review(detail::joined_review& decided, const capability_list& declared) = 0;
        [[nodiscard]] virtual bool is_reviewing() const noexcept = 0;
    };
    template <class S>
    struct model final : erased_source {
        template <class T>
        explicit model(T&& value) : value_(std::forward<T>(value)) {}
        [[nodiscard]] result<capability_list> specs() const override { return value_.specs(); }
        void invoke(const capability_call& call, capability_responder responder) override { value_.invoke(call, std::move(responder)); }
        void review(detail::joined_review& decided, const capability_list& declared) override { decided.ask(value_, declared); }
        [[nodiscard]] bool is_reviewing() const noexcept override { return detail::has_review<S>(); }
        S value_;
    };

    result<void> add_erased(std::unique_ptr<erased_source> source);

    [[nodiscard]] const detail::derived_list& declared() const;

    std::vector<std::unique_ptr<erased_source>> sources_;
    mutable detail::derived_list joined_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
