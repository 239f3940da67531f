#include <pyaichat/capability/any_capabilities.hpp>

#include <pyaichat/message/declarations.hpp>

#include <algorithm>
#include <string_view>

namespace pyaichat::inline v0 {

namespace {

const capability_spec* find(std::span<const capability_spec> specs, std::string_view name) {
    const auto at = std::find_if(specs.begin(), specs.end(), [&](const capability_spec& one) { return one.name == name; });
    return at != specs.end() ? &*at : nullptr;
}

}  // namespace

any_capabilities::any_capabilities() = default;
any_capabilities::any_capabilities(any_capabilities&&) noexcept = default;
any_capabilities& any_capabilities::operator=(any_capabilities&&) noexcept = default;
any_capabilities::~any_capabilities() = default;

result<void> any_capabilities::add(std::unique_ptr<erased_source> added) {
    const result<declarations> fine = declare(added->specs());
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
    std::size_t count = 0;
    for (const auto& one : sources_) {
        const std::span<const capability_spec> offered = one->specs();
        // Unchanged declarations are not copied again.
        for (const capability_spec& spec : offered) {
            if (count < specs_.size() && specs_[count] == spec) {
                ++count;
                continue;
            }
            specs_.resize(count);
            specs_.push_back(spec);
            ++count;
        }
    }
    specs_.resize(count);
    return specs_;
}

void any_capabilities::invoke(const capability_call& call, capability_responder responder) {
    for (const auto& one : sources_) {
        if (find(one->specs(), call.name) != nullptr) {
            one->invoke(call, std::move(responder));
            return;
        }
    }
    responder(reply_error(reply_code::unknown_function, "there is no `" + call.name + "` any more"));
}

}  // namespace pyaichat::inline v0
