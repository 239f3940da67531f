#pragma once
#include <pyaichat/capability/detail/derived_list.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Several sources as one, as `combine` makes it. Models `capability_source`, with `review` if one of them has it.
template <capability_source... Sources>
class combined {
public:
    explicit combined(Sources... sources) : sources_(std::move(sources)...) {}

    [[nodiscard]] result<capability_list> specs() const {
        return std::apply([&](const Sources&... each) { return joined_.update({each.specs()...}); }, sources_);
    }

    void invoke(const capability_call& call, capability_responder responder) {
        const std::optional<std::size_t> owner = asked().owner_of(call.name);
        std::size_t place = 0;
        const auto take = [&](auto& source) {
            if (place++ == owner) {
                source.invoke(call, std::move(responder));
            }
        };
        std::apply([&](Sources&... each) { (take(each), ...); }, sources_);
        if (!owner) {
            responder(detail::no_longer_declared(call.name));
        }
    }

    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch)
        requires((detail::has_review<Sources>() || ...))
    {
        detail::joined_review decided(batch);
        std::size_t place = 0;
        std::apply([&](Sources&... each) { (decided.ask(each, asked().part(place++)), ...); }, sources_);
        return std::move(decided).decisions();
    }

private:
    /// What was declared last. The sources are not asked again between a declaration and its calls.
    [[nodiscard]] const detail::derived_list& asked() const {
        if (!joined_.known()) {
            static_cast<void>(specs());
        }
        return joined_;
    }

    std::tuple<Sources...> sources_;
    mutable detail::derived_list joined_;
};

/// Puts sources together, in their order, where the set is known when the program is written: `combine(session, plugins, capability(...))`.
/// Nothing is erased. If two capabilities have one name, `specs` fails with `name_clash`, and a run ends as `misconfigured`. The message
/// says whose both are; `prefix` resolves the clash.
template <capability_source... Sources>
[[nodiscard]] combined<Sources...> combine(Sources... sources) {
    return combined<Sources...>(std::move(sources)...);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
