#pragma once
#include <pyaichat/capability/detail/derived_list.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <concepts>
#include <memory>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
/// The member is asked for first: the parts of a tuple, asked whether they can be moved, would ask the constructor of what they hold.
template <class S>
concept erasable_source = declares<S> && capability_source<S>;

/// Means to be a source and is none.
template <class S>
concept almost_source = !(declares<S> && invokes<S>) && requires { &S::invoke; };
}  // namespace detail

/// Capabilities of any number of sources, put together at run time. Models `capability_source`, with `review`. A source may change what it
/// declares: each is asked for every model call, and not again before the calls of that response have run. For a set that is known when the
/// program is written see `combine`.
class any_capabilities {
public:
    any_capabilities();
    any_capabilities(any_capabilities&&) noexcept;
    any_capabilities& operator=(any_capabilities&&) noexcept;
    ~any_capabilities();

    /// What is wrong with these is found when a run asks for the declarations, and ends it as `misconfigured`.
    template <class... Sources>
        requires(sizeof...(Sources) > 0 && (!std::same_as<std::remove_cvref_t<Sources>, any_capabilities> && ...) &&
                 (detail::erasable_source<std::remove_cvref_t<Sources>> && ...))
    any_capabilities(Sources&&... sources) : any_capabilities() {
        (sources_.push_back(std::make_unique<model<std::remove_cvref_t<Sources>>>(std::forward<Sources>(sources))), ...);
    }

    template <class Source>
        requires(!std::same_as<std::remove_cvref_t<Source>, any_capabilities> && detail::almost_source<std::remove_cvref_t<Source>>)
    any_capabilities(Source&&) : any_capabilities() {
        static_assert(capability_source<std::remove_cvref_t<Source>>,
                      "a capability source has `result<capability_list> specs() const` and "
                      "`void invoke(const capability_call&, capability_responder)`");
    }

    /// Adds a source. If `specs` would fail then, it fails in the same way and nothing is added: with `name_clash`, naming both sides, or
    /// `invalid_argument` for a declaration that no service would take.
    template <class Source>
        requires capability_source<std::remove_cvref_t<Source>>
    result<void> add(Source&& source) {
        return add(std::make_unique<model<std::remove_cvref_t<Source>>>(std::forward<Source>(source)));
    }

    [[nodiscard]] result<capability_list> specs() const;
    void invoke(const capability_call& call, capability_responder responder);
    /// Asks each source that reviews calls about its own.
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch);

private:
    struct erased_source {
        virtual ~erased_source() = default;
        [[nodiscard]] virtual result<capability_list> specs() const = 0;
        virtual void invoke(const capability_call& call, capability_responder responder) = 0;
        virtual void review(detail::joined_review& decided, const capability_list& declared) = 0;
    };
    template <class S>
    struct model final : erased_source {
        template <class T>
        explicit model(T&& value) : value_(std::forward<T>(value)) {}
        [[nodiscard]] result<capability_list> specs() const override { return value_.specs(); }
        void invoke(const capability_call& call, capability_responder responder) override { value_.invoke(call, std::move(responder)); }
        void review(detail::joined_review& decided, const capability_list& declared) override { decided.ask(value_, declared); }
        S value_;
    };

    result<void> add(std::unique_ptr<erased_source> added);

    [[nodiscard]] const detail::derived_list& asked() const;

    std::vector<std::unique_ptr<erased_source>> sources_;
    mutable detail::derived_list joined_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
