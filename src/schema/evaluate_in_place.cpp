#include "schema/evaluation.hpp"
#include "schema/failed_branches.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

bool evaluation::check_in_place(const schema_node& node, const json& value, const value_path& path, bool annotate) {
    const in_place_rules& rules = *node.in_place;
    bool valid = true;
    const auto go_on = [&] { return valid || collecting(); };
    if (rules.reference != no_node) {
        valid = check(rules.reference, value, path, annotate);
    }
    if (rules.dynamic && go_on()) {
        valid = check(dynamic_target(*rules.dynamic), value, path, annotate) && valid;
    }
    for (std::size_t i = 0; i < rules.all_of.size() && go_on(); ++i) {
        valid = check(rules.all_of[i], value, path, annotate) && valid;
    }
    if (!rules.any_of.empty() && go_on()) {
        valid = check_any_of(rules.any_of, value, path, annotate) && valid;
    }
    if (!rules.one_of.empty() && go_on()) {
        valid = check_one_of(rules.one_of, value, path, annotate) && valid;
    }
    if (rules.none_of != no_node && go_on() && fits(rules.none_of, value, path, false)) {
        valid = refuse(path, "not", [&] { return "must not fit " + in_short(*program_.nodes[rules.none_of].source); });
    }
    if (rules.condition != no_node && go_on()) {
        valid = check_condition(rules, value, path, annotate) && valid;
    }
    if (!rules.dependent.empty() && value.is_object() && go_on()) {
        valid = check_dependent(rules, value, path, annotate) && valid;
    }
    return valid && !gave_up_;
}

bool evaluation::check_any_of(const std::vector<node_index>& branches, const json& value, const value_path& path, bool annotate) {
    bool any = false;
    failed_branches failed(collecting() ? here(path) : std::string());
    for (const node_index branch : branches) {
        std::vector<schema_error> errors;
        if (try_branch(branch, value, path, annotate, errors)) {
            any = true;
            // With `annotate`, the annotations of the other branches count too.
            if (!annotate) {
                return true;
            }
        } else if (gave_up_) {
            return false;
        } else if (!any && errors_ != nullptr) {
            failed.add(std::move(errors));
        }
    }
    if (!any && collecting()) {
        for (schema_error& error : failed.errors("anyOf")) {
            report(std::move(error));
        }
    }
    return any;
}

bool evaluation::check_one_of(const std::vector<node_index>& branches, const json& value, const value_path& path, bool annotate) {
    std::size_t first = branches.size();
    failed_branches failed(collecting() ? here(path) : std::string());
    for (std::size_t i = 0; i < branches.size(); ++i) {
        std::vector<schema_error> errors;
        if (try_branch(branches[i], value, path, annotate, errors)) {
            if (first != branches.size()) {
                return refuse(path, "oneOf", [&] {
                    return "must fit exactly one of " + std::to_string(branches.size()) + " schemas, but fits both number " +
                           std::to_string(first + 1) + " and number " + std::to_string(i + 1);
                });
            }
            first = i;
        } else if (gave_up_) {
            return false;
        } else if (first == branches.size() && errors_ != nullptr) {
            failed.add(std::move(errors));
        }
    }
    if (first == branches.size() && collecting()) {
        for (schema_error& error : failed.errors("oneOf")) {
            report(std::move(error));
        }
    }
    return first != branches.size();
}

bool evaluation::check_condition(const in_place_rules& rules, const json& value, const value_path& path, bool annotate) {
    const bool decides = rules.when_true != no_node || rules.when_false != no_node;
    if (!decides && !annotate) {
        return true;
    }
    const bool matched = fits(rules.condition, value, path, annotate);
    if (gave_up_) {
        return false;
    }
    const node_index then = matched ? rules.when_true : rules.when_false;
    return then == no_node || check(then, value, path, annotate);
}

bool evaluation::check_dependent(const in_place_rules& rules, const json& value, const value_path& path, bool annotate) {
    const json::object_t& members = *value.get_ptr<const json::object_t*>();
    bool valid = true;
    for (const named_node& rule : rules.dependent) {
        if (!spend(1) || !(valid || collecting())) {
            return false;
        }
        if (members.find(rule.name) != members.end()) {
            valid = check(rule.node, value, path, annotate) && valid;
        }
    }
    return valid;
}

node_index evaluation::dynamic_target(const dynamic_reference& reference) {
    for (const std::uint32_t resource : scope_) {
        for (const auto& [anchor, node] : program_.resources[resource].dynamic_anchors) {
            if (!spend(1)) {
                return reference.target;
            }
            if (anchor == reference.anchor) {
                return node;
            }
        }
    }
    return reference.target;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
