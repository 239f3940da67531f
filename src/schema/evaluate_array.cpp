#include "schema/evaluation.hpp"
#include "schema/json_order.hpp"

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

bool evaluation::check_array(const array_rules& rules, const json& value, const value_path& path, bool annotate) {
    const json::array_t& elements = *value.get_ptr<const json::array_t*>();
    bool valid = check_size(rules.size, elements.size(), "minItems", "maxItems", "item", path);
    if (rules.unique && (valid || collecting())) {
        valid = check_unique(elements, path) && valid;
    }
    const std::size_t checked = rules.items != no_node ? elements.size() : std::min(elements.size(), rules.prefix.size());
    for (std::size_t i = 0; i < checked && (valid || collecting()); ++i) {
        const node_index node = i < rules.prefix.size() ? rules.prefix[i] : rules.items;
        if (program_.nodes[node].never && i >= rules.prefix.size()) {
            valid = refuse(path, "items", [&] { return must_have("most", i, "item") + ", not " + std::to_string(elements.size()); });
            break;
        }
        valid = check(node, elements[i], {&path, {}, i, true}, false) && valid;
        if (annotate && rules.items == no_node) {
            log_.push_back(&elements[i]);
        }
    }
    if (annotate && rules.items != no_node) {
        log_.push_back(&value);
    }
    if (rules.contains != no_node && (valid || collecting())) {
        valid = check_contains(rules, elements, path, annotate && rules.contains_evaluates) && valid;
    }
    return valid;
}

bool evaluation::check_unique(const json::array_t& elements, const value_path& path) {
    if (elements.size() < 2 || !spend(elements.size())) {
        return !gave_up_;
    }
    std::uint64_t work = 0;
    const std::vector<const json*> sorted = sorted_elements(elements, work);
    const auto same = std::adjacent_find(sorted.begin(), sorted.end(),
                                         [&work](const json* left, const json* right) { return compare_json(*left, *right, work) == 0; });
    if (!spend(work)) {
        return false;
    }
    if (same == sorted.end()) {
        return true;
    }
    const auto [first, second] = std::minmax({*same - elements.data(), *std::next(same) - elements.data()});
    return refuse(path, "uniqueItems", [first = first, second = second] {
        return "must not repeat an item: " + std::to_string(first) + " and " + std::to_string(second) + " are equal";
    });
}

bool evaluation::check_contains(const array_rules& rules, const json::array_t& elements, const value_path& path, bool annotate) {
    std::uint64_t count = 0;
    for (std::size_t i = 0; i < elements.size() && !gave_up_; ++i) {
        if (check_apart(nullptr, rules.contains, elements[i], {&path, {}, i, true}, false)) {
            ++count;
            if (annotate) {
                log_.push_back(&elements[i]);
            }
        }
        const bool decided = count > rules.contained.most || (count >= rules.contained.least && rules.contained.most == unlimited);
        if (decided && !annotate) {
            break;
        }
    }
    const auto must_have_fitting = [&](std::string_view bound, std::uint64_t limit) {
        return must_have(bound, limit, "item") + (limit == 1 ? " that fits " : " that fit ") +
               in_short(*program_.nodes[rules.contains].source);
    };
    if (count < rules.contained.least) {
        return refuse(path, "contains",
                      [&] { return must_have_fitting("least", rules.contained.least) + ", not " + std::to_string(count); });
    }
    if (count > rules.contained.most) {
        return refuse(path, "maxContains", [&] { return must_have_fitting("most", rules.contained.most); });
    }
    return !gave_up_;
}

bool evaluation::check_unevaluated_items(const schema_node& node, const json& value, const value_path& path, std::size_t mark) {
    const json::array_t& elements = *value.get_ptr<const json::array_t*>();
    if (!sort_log(mark, elements.size())) {
        return false;
    }
    bool valid = true;
    if (!logged(mark, value)) {
        for (std::size_t i = 0; i < elements.size() && (valid || collecting()); ++i) {
            if (logged(mark, elements[i])) {
                continue;
            }
            if (program_.nodes[node.unevaluated_items].never) {
                return refuse({&path, {}, i, true}, "unevaluatedItems",
                              [] { return std::string("must not be there: no schema speaks of it"); });
            }
            // `check` appends its annotations after the sorted ones, and removes them.
            valid = check(node.unevaluated_items, elements[i], {&path, {}, i, true}, false) && valid;
        }
    }
    log_.push_back(&value);
    return valid;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
