#include "schema/evaluation.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

node_index node_named(const std::vector<named_node>& nodes, std::string_view name) noexcept {
    const auto found =
        std::lower_bound(nodes.begin(), nodes.end(), name, [](const named_node& node, std::string_view key) { return node.name < key; });
    return found != nodes.end() && found->name == name ? found->node : no_node;
}

}  // namespace

bool evaluation::check_object(const object_rules& rules, const json& value, const value_path& path, bool annotate) {
    const json::object_t& members = *value.get_ptr<const json::object_t*>();
    bool valid = check_size(rules.size, members.size(), "minProperties", "maxProperties", "member", path);
    if (valid || collecting()) {
        valid = check_required(rules, members, path) && valid;
    }
    if (rules.look_at_members() && (valid || collecting())) {
        valid = check_members(rules, members, path, annotate) && valid;
        if (annotate && rules.additional != no_node) {
            log_.push_back(&value);
        }
    }
    return valid;
}

bool evaluation::check_required(const object_rules& rules, const json::object_t& members, const value_path& path) {
    bool valid = true;
    for (const std::string_view name : rules.required) {
        if (!spend(1) || !(valid || collecting())) {
            return false;
        }
        if (members.find(name) == members.end()) {
            valid = refuse(path, "required", [&] { return "must have the member " + in_quotes(name); });
        }
    }
    for (const dependency& rule : rules.dependencies) {
        if (!spend(1) || !(valid || collecting())) {
            return false;
        }
        if (members.find(rule.name) == members.end()) {
            continue;
        }
        for (const std::string_view name : rule.needed) {
            if (!spend(1) || !(valid || collecting())) {
                return false;
            }
            if (members.find(name) == members.end()) {
                valid = refuse(path, "dependentRequired",
                               [&] { return "must have the member " + in_quotes(name) + ", because it has " + in_quotes(rule.name); });
            }
        }
    }
    return valid;
}

bool evaluation::check_members(const object_rules& rules, const json::object_t& members, const value_path& path, bool annotate) {
    bool valid = true;
    for (const auto& [name, member] : members) {
        if (!spend(1) || !(valid || collecting())) {
            return false;
        }
        const value_path here{&path, name, 0, false};
        bool known = false;
        if (rules.names != no_node) {
            valid = check_name(rules.names, name, path) && valid;
        }
        if (const node_index node = node_named(rules.properties, name); node != no_node) {
            known = true;
            valid = check(node, member, here, false) && valid;
        }
        for (const pattern_node& rule : rules.patterns) {
            const std::optional<bool> found = rule.names.found_in(name, steps_);
            if (!found) {
                gave_up_ = true;
                return false;
            }
            if (*found) {
                known = true;
                valid = check(rule.node, member, here, false) && valid;
            }
        }
        if (!known && rules.additional != no_node) {
            valid = check_other_member(rules.additional, "additionalProperties", rules.properties, name, member, path) && valid;
        }
        if (known && annotate) {
            log_.push_back(&member);
        }
    }
    return valid;
}

bool evaluation::check_other_member(node_index at, std::string_view keyword, const std::vector<named_node>& known, std::string_view name,
                                    const json& value, const value_path& path) {
    if (program_.nodes[at].never) {
        return refuse(path, keyword, [&] { return must_not_have(name, known); });
    }
    return check(at, value, {&path, name, 0, false}, false);
}

bool evaluation::check_name(node_index names, const std::string& name, const value_path& path) {
    if (!spend(1 + name.size() / 64)) {
        return false;
    }
    std::vector<schema_error> errors;
    if (check_apart(&errors, names, json(name), path, false)) {
        return true;
    }
    return refuse(path, "propertyNames", [&] {
        return "must not have the member " + in_quotes(name) + (errors.empty() ? std::string() : ": a name " + errors.front().message);
    });
}

bool evaluation::check_unevaluated_properties(const schema_node& node, const json& value, const value_path& path, std::size_t mark) {
    const json::object_t& members = *value.get_ptr<const json::object_t*>();
    if (!sort_log(mark, members.size())) {
        return false;
    }
    const std::vector<named_node> none;
    const std::vector<named_node>& known = node.objects != nullptr ? node.objects->properties : none;
    bool valid = true;
    if (!logged(mark, value)) {
        for (const auto& [name, member] : members) {
            if (!(valid || collecting())) {
                return false;
            }
            if (!logged(mark, member)) {
                valid = check_other_member(node.unevaluated_properties, "unevaluatedProperties", known, name, member, path) && valid;
            }
        }
    }
    log_.push_back(&value);
    return valid;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
