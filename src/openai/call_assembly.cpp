#include "openai/call_assembly.hpp"

#include "net/service_access.hpp"
#include "openai/wire.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Returns the call that a delta continues, or null if the delta begins a call.
call_assembly::call* call_assembly::continued(std::optional<std::int64_t> key, const std::string& id, const std::string& name,
                                              bool has_arguments) {
    if (key) {
        const auto at = std::find_if(calls_.rbegin(), calls_.rend(), [&](const call& one) { return one.key == key; });
        // Some servers number all calls alike. Others repeat a call under changing ids, but without its name.
        const bool other = at != calls_.rend() && !id.empty() && !at->id.empty() && id != at->id && !name.empty();
        // Without ids, a whole call at the index of a complete one is another call.
        const bool whole_again = at != calls_.rend() && id.empty() && at->id.empty() && !name.empty() && has_arguments &&
                                 !at->arguments.empty() && net::parse_arguments(at->arguments);
        return at != calls_.rend() && !other && !whole_again ? &*at : nullptr;
    }
    if (!id.empty()) {
        const auto at = std::find_if(calls_.rbegin(), calls_.rend(), [&](const call& one) { return one.id == id; });
        if (at != calls_.rend()) {
            // A whole call under the id of a complete one is another call.
            const bool other = has_arguments && !name.empty() && net::parse_arguments(at->arguments);
            return other ? nullptr : &*at;
        }
        const bool waits_for_id = !calls_.empty() && calls_.back().id.empty() && name.empty();
        return waits_for_id ? &calls_.back() : nullptr;
    }
    if (calls_.empty()) {
        return nullptr;
    }
    call& last = calls_.back();
    // A named delta without index and id begins a call if the last one is complete.
    const bool begins = !name.empty() && !last.name.empty() && (name != last.name || net::parse_arguments(last.arguments));
    return begins ? nullptr : &last;
}

void call_assembly::add(json delta) {
    if (!delta.is_object()) {
        return;
    }
    const std::optional<std::int64_t> key = integer_member(delta, "index");
    const std::string id = string_of(delta, "id");
    static const json nothing;
    const json* function = find_member(delta, "function");
    const json& named = function != nullptr ? *function : nothing;
    const std::string name = string_of(named, "name");
    const json* const arguments = find_member(named, "arguments");
    const bool has_arguments = arguments != nullptr && !arguments->is_null() && as_string(*arguments) != "";
    call* into = continued(key, id, name, has_arguments);
    if (into == nullptr) {
        into = &calls_.emplace_back();
        into->key = key;
    }
    if (into->id.empty()) {
        into->id = id;
    }
    if (into->name.empty()) {
        into->name = name;
    }
    if (has_arguments) {
        const auto text = as_string(*arguments);
        into->arguments += text ? std::string(*text) : dump_json(*arguments);
    }
    for (const auto& [member, value] : delta.items()) {
        if (member != "index" && member != "id" && member != "function" && !value.is_null()) {
            into->members[member] = value;
        }
    }
    for (const auto& [member, value] : named.items()) {
        if (named.is_object() && member != "name" && member != "arguments" && !value.is_null()) {
            into->function[member] = value;
        }
    }
}

json call_assembly::take() {
    json out = json::array();
    for (call& one : calls_) {
        one.function["name"] = std::move(one.name);
        one.function["arguments"] = std::move(one.arguments);
        if (!one.id.empty()) {
            one.members["id"] = std::move(one.id);
        }
        one.members["function"] = std::move(one.function);
        out.push_back(std::move(one.members));
    }
    calls_.clear();
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
