#include <pyaichat/message/capability_list.hpp>

#include "message/capability_name.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/validate.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

namespace {

/// Limits the validation of any arguments to about 50 ms, because it runs on the pumping thread.
constexpr std::uint64_t most_steps = 1'000'000;

std::string origin_of(const capability_spec& spec) {
    return spec.origin.empty() ? "another source" : spec.origin;
}

failure refused(const capability_spec& spec, std::string what, std::string hint) {
    return {.code = errc::invalid_argument,
            .message = "capability `" + detail::one_line(spec.name, 80) + "` (" + origin_of(spec) + "): " + std::move(what),
            .hint = std::move(hint)};
}

result<compiled_schema> compile_parameters(const capability_spec& spec) {
    if (!spec.parameters.is_null() && (!spec.parameters.is_object() || string_member(spec.parameters, "type") != "object")) {
        return refused(spec, "the parameters are not an object schema",
                       "Give a JSON Schema with `\"type\": \"object\"` at its root, or null for no arguments.");
    }
    json any_object = json::object();
    any_object["type"] = "object";
    result<compiled_schema> compiled = compile_schema(spec.parameters.is_null() ? any_object : spec.parameters, {.max_steps = most_steps});
    if (!compiled) {
        return refused(spec, "the JSON Schema of the parameters cannot be used: " + compiled.error().message, compiled.error().hint);
    }
    return compiled;
}

/// Unlike `==`, distinguishes 1 from 1.0: converted to double, a large integer equals its neighbours.
bool is_same(const json& left, const json& right) {
    if (left.type() != right.type()) {
        return false;
    }
    if (left.is_object()) {
        const auto& members = *left.get_ptr<const json::object_t*>();
        const auto& others = *right.get_ptr<const json::object_t*>();
        return std::equal(members.begin(), members.end(), others.begin(), others.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first && is_same(a.second, b.second); });
    }
    return left.is_array() ? std::equal(left.begin(), left.end(), right.begin(), right.end(), is_same) : left == right;
}

}  // namespace

struct capability_list::state {
    std::vector<capability_spec> specs;
    std::vector<compiled_schema> schemas;  // in the order of the specs
    std::map<std::string, std::size_t, std::less<>> by_name;

    [[nodiscard]] const compiled_schema& schema_of(const capability_spec& spec) const {
        return schemas[static_cast<std::size_t>(&spec - specs.data())];
    }

    result<void> add(capability_spec spec, result<compiled_schema> schema) {
        if (!detail::is_capability_name(spec.name)) {
            return refused(spec, "the name is not valid", "Use at most 64 letters, digits, `_` and `-`, and begin with a letter or `_`.");
        }
        if (detail::is_blank(spec.description)) {
            return refused(spec, "it has no description", "Describe in a sentence what it does: the model chooses by the description.");
        }
        if (spec.timeout && *spec.timeout <= duration::zero()) {
            return refused(spec, "its timeout is not above zero", "Set a timeout above zero, or none to use the limit of the run.");
        }
        if (!schema) {
            return std::move(schema.error());
        }
        if (const auto [clash, added] = by_name.emplace(spec.name, specs.size()); !added) {
            return name_clash(specs[clash->second], spec);
        }
        specs.push_back(std::move(spec));
        schemas.push_back(*std::move(schema));
        return {};
    }
};

std::span<const capability_spec> capability_list::specs() const noexcept {
    return state_ ? std::span<const capability_spec>(state_->specs) : std::span<const capability_spec>();
}

const capability_spec* capability_list::find(std::string_view name) const noexcept {
    if (!state_) {
        return nullptr;
    }
    const auto at = state_->by_name.find(name);
    return at != state_->by_name.end() ? &state_->specs[at->second] : nullptr;
}

bool argument_check::is_of(const capability_list& list, std::string_view name, const json& arguments) const {
    return list_ != nullptr && list_ == list.state_ && name_ == name && is_same(arguments_, arguments);
}

argument_check capability_list::check(std::string_view name, const json& arguments) const {
    argument_check check;
    if (find(name) != nullptr) {
        check.list_ = state_;
        check.name_ = name;
        check.arguments_ = arguments;
        check.errors_ = validate(name, arguments);
    }
    return check;
}

std::vector<schema_error> capability_list::validate(std::string_view name, const json& arguments, const argument_check& check) const {
    if (check.is_of(*this, name, arguments)) {
        return check.errors_;
    }
    const capability_spec* found = find(name);
    PYAICHAT_ASSERT(found != nullptr, "validate: the name is not declared");
    return pyaichat::validate(state_->schema_of(*found), arguments);
}

failure name_clash(const capability_spec& first, const capability_spec& second) {
    return {
        .code = errc::name_clash,
        .message = "two capabilities have the name `" + first.name + "`: one from " + origin_of(first) + ", one from " + origin_of(second),
        .hint = "Rename or remove one of them, or add a prefix to the names of one source."};
}

result<capability_list> declare(std::initializer_list<capability_spec> specs) {
    return declare(std::span<const capability_spec>(specs.begin(), specs.size()));
}

result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before) {
    if (std::equal(specs.begin(), specs.end(), before.begin(), before.end())) {
        return before;
    }
    auto state = std::make_shared<capability_list::state>();
    for (const capability_spec& spec : specs) {
        const capability_spec* known = before.find(spec.name);
        const bool compiled = known != nullptr && known->parameters == spec.parameters;
        if (const result<void> added = state->add(spec, compiled ? before.state_->schema_of(*known) : compile_parameters(spec)); !added) {
            return added.error();
        }
    }
    return capability_list(std::move(state));
}

result<capability_list> derive(std::span<const capability_list> lists, const std::function<bool(capability_spec&)>& change) {
    auto state = std::make_shared<capability_list::state>();
    for (const capability_list& list : lists) {
        for (const capability_spec& declared : list) {
            capability_spec spec = declared;
            if (change && !change(spec)) {
                continue;
            }
            if (const result<void> added = state->add(std::move(spec), list.state_->schema_of(declared)); !added) {
                return added.error();
            }
        }
    }
    return capability_list(std::move(state));
}

}  // namespace pyaichat::inline PYAICHAT_ABI
