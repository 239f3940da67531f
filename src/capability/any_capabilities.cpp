#include <pyaichat/capability/any_capabilities.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

any_capabilities::any_capabilities() = default;
any_capabilities::any_capabilities(any_capabilities&&) noexcept = default;
any_capabilities& any_capabilities::operator=(any_capabilities&&) noexcept = default;
any_capabilities::~any_capabilities() = default;

result<void> any_capabilities::add(std::unique_ptr<erased_source> added) {
    const detail::derived_list before = joined_;
    sources_.push_back(std::move(added));
    if (const result<capability_list> all = specs(); !all) {
        sources_.pop_back();
        joined_ = before;
        return all.error();
    }
    return {};
}

result<capability_list> any_capabilities::specs() const {
    std::vector<result<capability_list>> declared;
    declared.reserve(sources_.size());
    for (const auto& one : sources_) {
        declared.push_back(one->specs());
    }
    return joined_.update(std::move(declared));
}

/// What was declared last. The sources are not asked again between a declaration and its calls: one of them may have changed.
const detail::derived_list& any_capabilities::asked() const {
    if (!joined_.known()) {
        static_cast<void>(specs());
    }
    return joined_;
}

void any_capabilities::invoke(const capability_call& call, capability_responder responder) {
    if (const std::optional<std::size_t> owner = asked().owner_of(call.name)) {
        sources_[*owner]->invoke(call, std::move(responder));
    } else {
        responder(detail::no_longer_declared(call.name));
    }
}

std::vector<call_decision> any_capabilities::review(std::span<const proposed_call> batch) {
    detail::joined_review decided(batch);
    for (std::size_t i = 0; i < sources_.size(); ++i) {
        sources_[i]->review(decided, asked().part(i));
    }
    return std::move(decided).decisions();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
