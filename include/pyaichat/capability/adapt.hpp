#pragma once
#include <pyaichat/capability/detail/derived_list.hpp>
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <concepts>
#include <initializer_list>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Puts a text before every name of a source: `source | prefix{"py_"}`. The source itself still sees its own names.
struct prefix {
    std::string text = {};

    /// Returns the changed declarations. Fails like `declare`.
    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;
    /// Returns the source's own name of a capability.
    [[nodiscard]] std::string inner_name(std::string_view name) const;
};

/// Declares only the named capabilities of a source, in the source's order: `source | only{"get_type", "get_repr"}`.
class only {
public:
    only(std::initializer_list<std::string> names) : names_(names) {}

    /// Returns the named declarations. Fails with `invalid_argument` if a name is not declared; the hint suggests the nearest name.
    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;

private:
    std::vector<std::string> names_;
};

/// Sets the timeout of every call to a source: `source | timeout{2s}`. Replaces the timeouts of the source and of the limits.
struct timeout {
    duration span = {};

    /// Returns the changed declarations. Fails like `declare`.
    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;
};

/// Asks an approval policy about the calls to a source: `source | approve{policy}`. Of all decisions about a call, the strictest wins.
struct approve {
    any_approval_policy policy = {};

    /// See `reviewing_source`.
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) { return policy.decide(batch); }
};

namespace detail {

// The right side of `source | adapter`: it changes declarations or reviews calls. If it changes names, it has `inner_name`.
template <class A>
concept changes_specs = requires(const A& adapter, const capability_list& offered) {
    { adapter.adapt(offered) } -> std::same_as<result<capability_list>>;
};
template <class A>
concept renames = requires(const A& adapter, std::string_view name) {
    { adapter.inner_name(name) } -> std::same_as<std::string>;
};
template <class A>
concept source_adapter = std::move_constructible<A> && (changes_specs<A> || reviews<A>);

/// Merges two lists of decisions about the same calls. A missing decision denies.
[[nodiscard]] std::vector<call_decision> merge_all(std::vector<call_decision> first, std::vector<call_decision> second, std::size_t calls);

}  // namespace detail

/// A source with an adapter, as `source | adapter` returns it. Satisfies `reviewing_source` if the source or the adapter reviews.
template <capability_source Source, detail::source_adapter Adapter>
class adapted {
public:
    adapted(Source source, Adapter adapter) : source_(std::move(source)), adapter_(std::move(adapter)) {}

    [[nodiscard]] result<capability_list> specs() const {
        if constexpr (detail::changes_specs<Adapter>) {
            return derived_.update({source_.specs()}, [&](std::span<const capability_list> offered) { return adapter_.adapt(offered[0]); });
        } else {
            return source_.specs();
        }
    }

    void invoke(const capability_call& call, capability_responder responder) {
        if constexpr (detail::renames<Adapter>) {
            capability_call inner = call;
            inner.name = adapter_.inner_name(call.name);
            source_.invoke(inner, std::move(responder));
        } else {
            source_.invoke(call, std::move(responder));
        }
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch)
        requires(detail::has_review<Source>() || detail::has_review<Adapter>())
    {
        std::vector<call_decision> decided(batch.size());
        if constexpr (detail::has_review<Source>() && detail::renames<Adapter>) {
            std::vector<proposed_call> inner(batch.begin(), batch.end());
            for (proposed_call& call : inner) {
                call.name = adapter_.inner_name(call.name);
            }
            decided = source_.review(inner);
        } else if constexpr (detail::has_review<Source>()) {
            decided = source_.review(batch);
        }
        if constexpr (detail::has_review<Adapter>()) {
            decided = detail::merge_all(std::move(decided), adapter_.review(batch), batch.size());
        }
        return decided;
    }

private:
    Source source_;
    Adapter adapter_;
    mutable detail::derived_list derived_;
};

/// Applies an adapter (`prefix`, `only`, `timeout` or `approve`) to a source. Adapters can be chained.
template <class Source, class Adapter>
    requires(capability_source<std::remove_cvref_t<Source>> && detail::source_adapter<std::remove_cvref_t<Adapter>>)
[[nodiscard]] adapted<std::remove_cvref_t<Source>, std::remove_cvref_t<Adapter>> operator|(Source&& source, Adapter&& adapter) {
    static_assert(detail::can_store<Source>());
    return {std::forward<Source>(source), std::forward<Adapter>(adapter)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
