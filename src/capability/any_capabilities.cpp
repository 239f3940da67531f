#include <pyaichat/capability/any_capabilities.hpp>

#include <pyaichat/message/capability_list.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI {

any_capabilities::any_capabilities() = default;
any_capabilities::any_capabilities(any_capabilities&&) noexcept = default;
any_capabilities& any_capabilities::operator=(any_capabilities&&) noexcept = default;
any_capabilities::~any_capabilities() = default;

result<void> any_capabilities::add(std::unique_ptr<erased_source> added) {
    const result<capability_list> fine = declare(added->specs());
    if (!fine) {
        return fine.error();
    }
    for (const capability_spec& one : specs()) {
        if (const capability_spec* other = fine->find(one.name)) {
            return name_clash(one, *other);
        }
    }
    sources_.push_back(std::move(added));
    return {};
}

std::span<const capability_spec> any_capabilities::specs() const {
    joined_.begin();
    for (const auto& one : sources_) {
        joined_.add_source(*one);
    }
    return joined_.finish();
}

void any_capabilities::invoke(const capability_call& call, capability_responder responder) {
    for (const auto& one : sources_) {
        if (detail::invoked_by(*one, call, responder)) {
            return;
        }
    }
    responder(detail::no_longer_declared(call.name));
}

bool any_capabilities::has_say() const {
    return std::any_of(sources_.begin(), sources_.end(), [](const auto& one) { return one->has_say(); });
}

std::vector<call_decision> any_capabilities::review(std::span<const proposed_call> batch) {
    detail::joined_review decided(batch);
    for (const auto& one : sources_) {
        one->review(decided);
    }
    return std::move(decided).decisions();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
