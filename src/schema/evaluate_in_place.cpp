#include <pyaichat/core/text.hpp>

#include "schema/evaluation.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// Collects the errors of a value that fits none of several schemas. If all but one schema require another type or another constant
/// (`{"kind": {"const": "circle"}}`), only the errors of that schema are reported. Otherwise one error summarizes all.
class failed_branches {
public:
    explicit failed_branches(std::string path) : path_(std::move(path)) {}

    void add(const std::vector<schema_error>& errors) {
        const auto other_type = [&](const schema_error& error) { return error.keyword == "type" && is_here(error); };
        const auto other_constant = [&](const schema_error& error) {
            return (error.keyword == "const" || error.keyword == "enum") && (is_here(error) || is_of_member(error));
        };
        if (std::none_of(errors.begin(), errors.end(), other_type)) {
            right_type_.add(errors);
            if (std::none_of(errors.begin(), errors.end(), other_constant)) {
                right_constant_.add(errors);
            }
        }
        if (++count_ <= max_listed && !errors.empty()) {
            const schema_error& first = errors.front();
            summary_ += summary_.empty() ? "" : "; or ";
            summary_ += is_here(first) ? "" : "at \"" + one_line(first.path, max_listed_bytes) + "\" ";
            summary_ += one_line(first.message, max_listed_bytes);
        }
    }

    [[nodiscard]] std::vector<schema_error> errors(std::string_view keyword) const {
        for (const group* likely : {&right_type_, &right_constant_}) {
            if (likely->count == 1 && !likely->first.empty()) {
                return likely->first;
            }
        }
        std::string text = summary_.empty() ? "must fit one of the schemas that there are" : summary_;
        if (count_ > max_listed) {
            text += "; or fit one of " + std::to_string(count_ - max_listed) + " more schemas";
        }
        return {{path_, std::string(keyword), std::move(text)}};
    }

private:
    static constexpr std::size_t max_listed = 5;
    static constexpr std::size_t max_listed_bytes = 160;

    /// Branches that failed for the same kind of reason.
    struct group {
        std::size_t count = 0;
        std::vector<schema_error> first = {};  ///< the errors of the first branch

        void add(const std::vector<schema_error>& errors) {
            if (++count == 1) {
                first = errors;
            }
        }
    };

    [[nodiscard]] bool is_here(const schema_error& error) const { return error.path == path_; }
    [[nodiscard]] bool is_of_member(const schema_error& error) const {
        return error.path.size() > path_.size() && error.path.starts_with(path_) &&
               error.path.find('/', path_.size() + 1) == std::string::npos;
    }

    std::string path_;
    std::size_t count_ = 0;
    group right_type_;
    group right_constant_;
    std::string summary_;
};

}  // namespace

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
        valid = check_branches(rules.any_of, false, value, path, annotate) && valid;
    }
    if (!rules.one_of.empty() && go_on()) {
        valid = check_branches(rules.one_of, true, value, path, annotate) && valid;
    }
    if (rules.none_of != no_node && go_on() && check_apart(nullptr, rules.none_of, value, path, false)) {
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

bool evaluation::check_branches(const std::vector<node_index>& branches, bool only_one, const json& value, const value_path& path,
                                bool annotate) {
    std::optional<std::size_t> first;
    failed_branches failed(collecting() ? here(path) : std::string());
    for (std::size_t i = 0; i < branches.size(); ++i) {
        std::vector<schema_error> errors;
        if (check_apart(&errors, branches[i], value, path, annotate)) {
            if (only_one && first) {
                return refuse(path, "oneOf", [&] {
                    return "must fit exactly one of " + std::to_string(branches.size()) + " schemas, but fits both number " +
                           std::to_string(*first + 1) + " and number " + std::to_string(i + 1);
                });
            }
            // With `annotate`, the annotations of the other branches of an `anyOf` count too.
            if (!only_one && !annotate) {
                return true;
            }
            first = first.value_or(i);
        } else if (gave_up_) {
            return false;
        } else if (!first && errors_ != nullptr) {
            failed.add(errors);
        }
    }
    if (!first && collecting()) {
        for (schema_error& error : failed.errors(only_one ? "oneOf" : "anyOf")) {
            report(std::move(error));
        }
    }
    return first.has_value();
}

bool evaluation::check_condition(const in_place_rules& rules, const json& value, const value_path& path, bool annotate) {
    const bool decides = rules.when_true != no_node || rules.when_false != no_node;
    if (!decides && !annotate) {
        return true;
    }
    const bool matched = check_apart(nullptr, rules.condition, value, path, annotate);
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
