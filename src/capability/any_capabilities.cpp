#include <pyaichat/capability/any_capabilities.hpp>

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <map>

namespace pyaichat::inline v0 {

namespace {

/// The names that every service takes: `[A-Za-z_][A-Za-z0-9_-]{0,63}`.
bool is_portable_name(std::string_view name) noexcept {
    const auto letter = [](char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; };
    const auto other = [&](char c) { return letter(c) || (c >= '0' && c <= '9') || c == '-'; };
    return !name.empty() && name.size() <= 64 && letter(name.front()) && std::all_of(name.begin(), name.end(), other);
}

const capability_spec* find(std::span<const capability_spec> specs, std::string_view name) {
    const auto at = std::find_if(specs.begin(), specs.end(), [&](const capability_spec& one) { return one.name == name; });
    return at != specs.end() ? &*at : nullptr;
}

std::string whose(const capability_spec& spec) {
    return spec.origin.empty() ? "another source" : spec.origin;
}

}  // namespace

any_capabilities::any_capabilities() = default;
any_capabilities::any_capabilities(any_capabilities&&) noexcept = default;
any_capabilities& any_capabilities::operator=(any_capabilities&&) noexcept = default;
any_capabilities::~any_capabilities() = default;

result<void> any_capabilities::add(std::unique_ptr<erased_source> added) {
    sources_.push_back(std::move(added));
    result<void> fine = check(specs());
    if (!fine) {
        sources_.pop_back();
    }
    return fine;
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

result<void> check(const capability_spec& spec) {
    const auto refused = [&](std::string what, std::string hint) {
        return failure{.code = errc::invalid_argument,
                       .message = "capability `" + one_line(spec.name, 80) + "` (" + whose(spec) + "): " + std::move(what),
                       .hint = std::move(hint)};
    };
    if (!is_portable_name(spec.name)) {
        return refused("no service takes this name", "Name it with at most 64 letters, digits, `_` and `-`, a letter or `_` first.");
    }
    if (is_blank(spec.description)) {
        return refused("it has no description", "Say in a sentence what it does: the model chooses by it.");
    }
    if (!spec.parameters.is_null() && (!spec.parameters.is_object() || string_member(spec.parameters, "type") != "object")) {
        return refused("its parameters are no object schema",
                       "Give a JSON Schema with `\"type\": \"object\"` at its root, or null for none.");
    }
    if (spec.timeout && *spec.timeout <= duration::zero()) {
        return refused("its timeout is not above zero", "Give it a time above zero, or none for the general one.");
    }
    return {};
}

result<void> check(std::span<const capability_spec> specs) {
    std::map<std::string_view, const capability_spec*> seen;
    for (const capability_spec& spec : specs) {
        if (result<void> fine = check(spec); !fine) {
            return fine;
        }
        if (const auto [at, fresh] = seen.emplace(spec.name, &spec); !fresh) {
            return failure{
                .code = errc::name_clash,
                .message = "two capabilities are called `" + spec.name + "`: one of " + whose(*at->second) + ", one of " + whose(spec),
                .hint = "Rename one of them, or leave one out."};
        }
    }
    return {};
}

}  // namespace pyaichat::inline v0
