#include "python/privacy/schema_result.hpp"

#include "python/privacy/reply_filter.hpp"

#include <algorithm>
#include <array>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Members whose texts, also in a list, are names of variables, attributes, types, functions and files, or texts of the SDK.
constexpr auto name_members =
    std::to_array<std::string_view>({"name", "type_name", "module", "qualified", "type", "exc_type", "members", "methods", "file",
                                     "function", "dtype", "removed", "ended", "nearest", "at", "policy", "state", "c_call"});
/// Members whose numbers and truth values are counts, sizes, positions and flags.
constexpr auto count_members = std::to_array<std::string_view>({"total",
                                                                "truncated",
                                                                "original_len",
                                                                "size",
                                                                "line",
                                                                "lazy",
                                                                "tier",
                                                                "ran_user_code",
                                                                "attributes_total",
                                                                "attributes_cut",
                                                                "methods_total",
                                                                "items_total",
                                                                "frames_total",
                                                                "entries_total",
                                                                "added_total",
                                                                "removed_total",
                                                                "rebound_total",
                                                                "changed_total",
                                                                "names_compared",
                                                                "names_cut",
                                                                "first",
                                                                "milliseconds",
                                                                "shape",
                                                                "ndim",
                                                                "needed_tier",
                                                                "best_effort",
                                                                "torn",
                                                                "id",
                                                                "native_id",
                                                                "holds_gil",
                                                                "frames_truncated",
                                                                "threads_truncated"});
/// Members that are objects or lists of objects with such members.
constexpr auto nested_members =
    std::to_array<std::string_view>({"globals", "type", "attributes", "exception", "frames", "source", "changes", "added", "rebound",
                                     "changed", "entries", "stopped_at", "threads"});

template <std::size_t Size>
bool is_listed(const std::array<std::string_view, Size>& names, std::string_view name) {
    return std::find(names.begin(), names.end(), name) != names.end();
}

json reduced(std::string_view member, const json& value);

json reduced_object(const json& object) {
    json kept = json::object();
    for (const auto& [name, value] : object.items()) {
        kept[name] = reduced(name, value);
    }
    return kept;
}

/// The names of the local variables, without their values.
json reduced_locals(const json& locals) {
    json kept = json::object();
    for (const auto& [name, value] : locals.items()) {
        kept[name] = std::string(withheld_mark);
    }
    return kept;
}

bool is_allowed(std::string_view member, const json& value) {
    if (value.is_string()) {
        return is_listed(name_members, member);
    }
    return value.is_null() || ((value.is_number() || value.is_boolean()) && is_listed(count_members, member));
}

json reduced(std::string_view member, const json& value) {
    if (is_allowed(member, value)) {
        return value;
    }
    if (value.is_object() && member == "locals") {
        return reduced_locals(value);
    }
    if (value.is_object() && is_listed(nested_members, member)) {
        return reduced_object(value);
    }
    if (value.is_array() && (is_listed(nested_members, member) || is_listed(name_members, member) || is_listed(count_members, member))) {
        json kept = json::array();
        for (const json& each : value) {
            kept.push_back(each.is_object() && is_listed(nested_members, member) ? reduced_object(each)
                           : is_allowed(member, each)                            ? each
                                                                                 : json(std::string(withheld_mark)));
        }
        return kept;
    }
    return std::string(withheld_mark);
}

/// Whether the message of an error has only names: the SDK wrote it without reading values.
bool has_names_only(const capability_reply& reply) {
    const std::string_view exc_type = string_member(reply.details, "exc_type").value_or("");
    return reply.code == reply_code::python_exception ? exc_type == "NameError" || exc_type == "AttributeError"
                                                      : reply.code == reply_code::invalid_args || reply.code == reply_code::not_allowed ||
                                                            reply.code == reply_code::unknown_function;
}

}  // namespace

capability_reply without_values(capability_reply reply) {
    if (reply.ok()) {
        reply.result = reply.result.is_object() ? reduced_object(reply.result) : json(std::string(withheld_mark));
        return reply;
    }
    if (has_names_only(reply)) {
        return reply;
    }
    const std::string_view exc_type = string_member(reply.details, "exc_type").value_or("");
    reply.message = (exc_type.empty() ? std::string(to_string(reply.code)) : std::string(exc_type)) + ": " + std::string(withheld_mark);
    json details = reply.details.is_object() ? reduced_object(reply.details) : json();
    if (details.is_object()) {
        details.erase("nearest");  // keys of a dict are values
        details.erase("message");
    }
    reply.details = std::move(details);
    return reply;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
