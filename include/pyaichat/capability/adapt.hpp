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

/// `source | prefix{"py_"}`: every name with this in front of it. The source itself sees its own names.
struct prefix {
    std::string text = {};

    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;
    [[nodiscard]] std::string inner_name(std::string_view name) const;
};

/// `source | only{"get_type", "get_repr"}`: these and no others, in the source's order. If the source does not declare one of them, `specs`
/// fails; the hint tells the nearest name that there is.
class only {
public:
    only(std::initializer_list<std::string> names) : names_(names) {}

    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;

private:
    std::vector<std::string> names_;
};

/// `source | timeout{2s}`: how long each of its calls may take, instead of what the source or the run's limits say.
struct timeout {
    duration span = {};

    [[nodiscard]] result<capability_list> adapt(const capability_list& offered) const;
};

/// `source | approve{policy}`: asks an approval policy, or a function of one `proposed_call`, about the calls of this source. What the
/// source says itself counts too, and so does what others say: the strictest is followed.
struct approve {
    any_approval_policy policy = {};

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) { return policy.decide(batch); }
};

namespace detail {

/// What `|` takes beside a source: a value that changes declarations, or decides about calls. It translates names if it changed them.
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

/// A source with an adapter over it, as `source | adapter` makes it. Models `capability_source`, with `review` if one of them has it.
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
            for (proposed_call& one : inner) {
                one.name = adapter_.inner_name(one.name);
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

template <class Source, class Adapter>
    requires(capability_source<std::remove_cvref_t<Source>> && detail::source_adapter<std::remove_cvref_t<Adapter>>)
[[nodiscard]] adapted<std::remove_cvref_t<Source>, std::remove_cvref_t<Adapter>> operator|(Source&& source, Adapter&& adapter) {
    return {std::forward<Source>(source), std::forward<Adapter>(adapter)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
