#include <pyaichat/message/capability_list.hpp>

#include "message/capability_name.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/schema/validate.hpp>

#include <algorithm>
#include <functional>
#include <map>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI {

struct capability_list::state {
    std::vector<capability_spec> specs;
    std::vector<compiled_schema> schemas;  // in the order of the specs
    std::map<std::string_view, std::size_t, std::less<>> by_name;

    /// `most` specs are added at most: `by_name` points into them.
    explicit state(std::size_t most) {
        specs.reserve(most);
        schemas.reserve(most);
    }
    result<void> add(capability_spec spec, compiled_schema schema) {
        if (const auto [at, fresh] = by_name.emplace(specs.emplace_back(std::move(spec)).name, schemas.size()); !fresh) {
            return name_clash(specs[at->second], specs.back());
        }
        schemas.push_back(std::move(schema));
        return {};
    }
};

namespace {

/// Arguments are checked on the thread that pumps the run: some 50 ms of it at most, whatever a model sends to whatever schema.
constexpr std::uint64_t most_steps = 1'000'000;

std::string whose(const capability_spec& spec) {
    return spec.origin.empty() ? "another source" : spec.origin;
}

failure refused(const capability_spec& spec, std::string what, std::string hint) {
    return {.code = errc::invalid_argument,
            .message = "capability `" + detail::one_line(spec.name, 80) + "` (" + whose(spec) + "): " + std::move(what),
            .hint = std::move(hint)};
}

/// Checks everything but the schema.
result<void> check_members(const capability_spec& spec) {
    if (!detail::is_capability_name(spec.name)) {
        return refused(spec, "no service takes this name", "Name it with at most 64 letters, digits, `_` and `-`, a letter or `_` first.");
    }
    if (detail::is_blank(spec.description)) {
        return refused(spec, "it has no description", "Say in a sentence what it does: the model chooses by it.");
    }
    if (spec.timeout && *spec.timeout <= duration::zero()) {
        return refused(spec, "its timeout is not above zero", "Give it a time above zero, or none for the general one.");
    }
    return {};
}

result<compiled_schema> compile_parameters(const capability_spec& spec) {
    if (!spec.parameters.is_null() && (!spec.parameters.is_object() || string_member(spec.parameters, "type") != "object")) {
        return refused(spec, "its parameters are no object schema",
                       "Give a JSON Schema with `\"type\": \"object\"` at its root, or null for none.");
    }
    json any_object = json::object();
    any_object["type"] = "object";
    result<compiled_schema> compiled = compile_schema(spec.parameters.is_null() ? any_object : spec.parameters, {.max_steps = most_steps});
    if (!compiled) {
        return refused(spec, "its parameters are no JSON Schema that can be used: " + compiled.error().message, compiled.error().hint);
    }
    return compiled;
}

/// Unlike `==`, tells 1 from 1.0: as a double, a large integer equals its neighbours.
bool is_same(const json& one, const json& other) {
    if (one.type() != other.type()) {
        return false;
    }
    if (one.is_object()) {
        const auto& left = *one.get_ptr<const json::object_t*>();
        const auto& right = *other.get_ptr<const json::object_t*>();
        return std::equal(left.begin(), left.end(), right.begin(), right.end(),
                          [](const auto& a, const auto& b) { return a.first == b.first && is_same(a.second, b.second); });
    }
    return one.is_array() ? std::equal(one.begin(), one.end(), other.begin(), other.end(), is_same) : one == other;
}

}  // namespace

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
    argument_check made;
    if (find(name) != nullptr) {
        made.list_ = state_;
        made.name_ = name;
        made.arguments_ = arguments;
        made.errors_ = validate(name, arguments);
    }
    return made;
}

std::vector<schema_error> capability_list::validate(std::string_view name, const json& arguments, const argument_check& check) const {
    if (check.is_of(*this, name, arguments)) {
        return check.errors_;
    }
    const capability_spec* found = find(name);
    PYAICHAT_ASSERT(found != nullptr, "arguments are checked against what was declared");
    return pyaichat::validate(state_->schemas[static_cast<std::size_t>(found - state_->specs.data())], arguments);
}

failure name_clash(const capability_spec& one, const capability_spec& other) {
    return {.code = errc::name_clash,
            .message = "two capabilities are called `" + one.name + "`: one of " + whose(one) + ", one of " + whose(other),
            .hint = "Rename one of them, put a prefix before one source's names, or leave one out."};
}

result<capability_list> declare(std::span<const capability_spec> specs) {
    return declare(specs, {});
}

result<capability_list> declare(std::initializer_list<capability_spec> specs) {
    return declare(std::span<const capability_spec>(specs.begin(), specs.size()));
}

result<capability_list> declare(std::span<const capability_spec> specs, const capability_list& before) {
    if (std::equal(specs.begin(), specs.end(), before.begin(), before.end())) {
        return before;
    }
    auto made = std::make_shared<capability_list::state>(specs.size());
    for (const capability_spec& spec : specs) {
        if (const result<void> usable = check_members(spec); !usable) {
            return usable.error();
        }
        const capability_spec* known = before.find(spec.name);
        const bool compiled = known != nullptr && known->parameters == spec.parameters;
        result<compiled_schema> schema =
            compiled ? before.state_->schemas[static_cast<std::size_t>(known - before.begin())] : compile_parameters(spec);
        if (!schema) {
            return std::move(schema.error());
        }
        if (const result<void> added = made->add(spec, *std::move(schema)); !added) {
            return added.error();
        }
    }
    capability_list all;
    all.state_ = std::move(made);
    return all;
}

result<capability_list> derive(std::span<const capability_list> from, const std::function<bool(capability_spec&)>& change) {
    std::size_t most = 0;
    for (const capability_list& list : from) {
        most += list.size();
    }
    auto made = std::make_shared<capability_list::state>(most);
    for (const capability_list& list : from) {
        for (std::size_t i = 0; i < list.size(); ++i) {
            capability_spec spec = list[i];
            if (change && !change(spec)) {
                continue;
            }
            if (const result<void> usable = check_members(spec); !usable) {
                return usable.error();
            }
            if (const result<void> added = made->add(std::move(spec), list.state_->schemas[i]); !added) {
                return added.error();
            }
        }
    }
    capability_list all;
    all.state_ = std::move(made);
    return all;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
