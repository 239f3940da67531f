#pragma once
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/borrow.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <algorithm>
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

    [[nodiscard]] std::vector<capability_spec> adapt(std::span<const capability_spec> offered) const;
    [[nodiscard]] std::string inner_name(std::string_view name) const;
};

/// `source | only{"get_type", "get_repr"}`: these and no others, in the source's order. One that the source does not declare is an error
/// when the capabilities are declared: it tells the nearest name that there is.
class only {
public:
    only(std::initializer_list<std::string> names) : names_(names) {}

    [[nodiscard]] std::vector<capability_spec> adapt(std::span<const capability_spec> offered) const;

private:
    std::vector<std::string> names_;
};

/// `source | timeout{2s}`: how long each of its calls may take, instead of what the source or the run's limits say.
struct timeout {
    duration span = {};

    [[nodiscard]] std::vector<capability_spec> adapt(std::span<const capability_spec> offered) const;
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
concept changes_specs = requires(const A& adapter, std::span<const capability_spec> offered) {
    { adapter.adapt(offered) } -> std::same_as<std::vector<capability_spec>>;
};
template <class A>
concept renames = requires(const A& adapter, std::string_view name) {
    { adapter.inner_name(name) } -> std::same_as<std::string>;
};
template <class A>
concept source_adapter = std::move_constructible<A> && (changes_specs<A> || reviews<A>);

/// Of each two decisions about one call the stricter; of two changes of arguments the first.
[[nodiscard]] std::vector<call_decision> stricter(std::vector<call_decision> first, std::vector<call_decision> second, std::size_t calls);

}  // namespace detail

/// A source with an adapter over it, as `source | adapter` makes it. Models `capability_source`, with `review`.
template <capability_source Source, detail::source_adapter Adapter>
class adapted {
public:
    adapted(Source source, Adapter adapter) : source_(std::move(source)), adapter_(std::move(adapter)) {}

    [[nodiscard]] std::span<const capability_spec> specs() const {
        const std::span<const capability_spec> offered = source_.specs();
        if constexpr (detail::changes_specs<Adapter>) {
            if (!std::equal(offered.begin(), offered.end(), offered_.begin(), offered_.end()) || !adapted_before_) {
                offered_.assign(offered.begin(), offered.end());
                specs_ = adapter_.adapt(offered);
                adapted_before_ = true;
            }
            return specs_;
        } else {
            return offered;
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

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch) {
        std::vector<call_decision> decided(batch.size());
        if constexpr (detail::has_review<Source>()) {
            decided = source_.review(inner_batch(batch).calls());
        }
        if constexpr (detail::has_review<Adapter>()) {
            decided = detail::stricter(std::move(decided), adapter_.review(batch), batch.size());
        }
        return decided;
    }
    [[nodiscard]] bool has_say() const { return detail::has_review<Adapter>() || detail::has_say(source_); }

private:
    /// The batch with the names that the source knows.
    class translated {
    public:
        translated(std::span<const proposed_call> batch, const Adapter& adapter) : calls_(batch) {
            if constexpr (detail::renames<Adapter>) {
                own_.assign(batch.begin(), batch.end());
                for (proposed_call& one : own_) {
                    one.name = adapter.inner_name(one.name);
                }
                calls_ = own_;
            } else {
                static_cast<void>(adapter);
            }
        }
        translated(const translated&) = delete;
        translated& operator=(const translated&) = delete;
        [[nodiscard]] std::span<const proposed_call> calls() const noexcept { return calls_; }

    private:
        std::vector<proposed_call> own_;
        std::span<const proposed_call> calls_;
    };
    [[nodiscard]] translated inner_batch(std::span<const proposed_call> batch) const { return translated(batch, adapter_); }

    Source source_;
    Adapter adapter_;
    mutable std::vector<capability_spec> offered_;  // what the specs were made of
    mutable std::vector<capability_spec> specs_;
    mutable bool adapted_before_ = false;
};

template <class Source, class Adapter>
    requires(capability_source<std::remove_cvref_t<Source>> && detail::source_adapter<std::remove_cvref_t<Adapter>>)
[[nodiscard]] adapted<std::remove_cvref_t<Source>, std::remove_cvref_t<Adapter>> operator|(Source&& source, Adapter&& adapter) {
    return {std::forward<Source>(source), std::forward<Adapter>(adapter)};
}

}  // namespace pyaichat::inline PYAICHAT_ABI
