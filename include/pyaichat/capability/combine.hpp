#pragma once
#include <pyaichat/capability/detail/derived_list.hpp>
#include <pyaichat/policy/capability_source.hpp>

#include <tuple>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Several sources as one source, as `combine` returns it. Satisfies `reviewing_source` if one of them does.
template <class... Sources>
class combined {
    static_assert((detail::is_source<Sources>() && ...));

public:
    explicit combined(Sources... sources) : sources_(std::move(sources)...) {}

    [[nodiscard]] result<capability_list> specs() const {
        return std::apply([&](const Sources&... each) { return joined_.update({each.specs()...}); }, sources_);
    }

    void invoke(const capability_call& call, capability_responder responder) {
        const std::optional<std::size_t> owner = declared().owner_of(call.name);
        std::size_t index = 0;
        const auto take = [&](auto& source) {
            if (index++ == owner) {
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
        std::size_t index = 0;
        std::apply([&](Sources&... each) { (decided.ask(each, declared().part(index++)), ...); }, sources_);
        return std::move(decided).decisions();
    }

private:
    /// The last declarations. Calls go to the source that declared them, also if a source has changed since.
    [[nodiscard]] const detail::derived_list& declared() const {
        if (!joined_.known()) {
            static_cast<void>(specs());
        }
        return joined_;
    }

    std::tuple<Sources...> sources_;
    mutable detail::derived_list joined_;
};

/// Joins sources in their order, without type erasure: `combine(session, plugins, capability(...))`. If two capabilities have the same
/// name, `specs` fails with `name_clash` and the run ends as `misconfigured`. The message names both origins; `prefix` resolves the clash.
template <class... Sources>
[[nodiscard]] combined<Sources...> combine(Sources... sources) {
    return combined<Sources...>(std::move(sources)...);
}

}  // namespace pyaichat::inline PYAICHAT_ABI
