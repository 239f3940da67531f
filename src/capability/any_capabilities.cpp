#include <pyaichat/capability/any_capabilities.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

result<void> any_capabilities::add_erased(std::unique_ptr<erased_source> source) {
    const detail::derived_list before = joined_;
    sources_.push_back(std::move(source));
    if (const result<capability_list> all = specs(); !all) {
        sources_.pop_back();
        joined_ = before;
        return all.error();
    }
    return {};
}

result<capability_list> any_capabilities::specs() const {
    std::vector<result<capability_list>> lists;
    lists.reserve(sources_.size());
    for (const auto& source : sources_) {
        lists.push_back(source->specs());
    }
    return joined_.update(std::move(lists));
}

/// The last declarations. `specs` is not called again between a declaration and its calls, because a source may have changed.
const detail::derived_list& any_capabilities::declared() const {
    if (!joined_.known()) {
        static_cast<void>(specs());
    }
    return joined_;
}

void any_capabilities::invoke(const capability_call& call, capability_responder responder) {
    if (const std::optional<std::size_t> owner = declared().owner_of(call.name)) {
        sources_[*owner]->invoke(call, std::move(responder));
    } else {
        responder(detail::no_longer_declared(call.name));
    }
}

std::vector<call_decision> any_capabilities::review(std::span<const proposed_call> batch) {
    detail::joined_review decided(batch);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources_[i]->review(decided, declared().part(i));
    }
    return std::move(decided).decisions();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
