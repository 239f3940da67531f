#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/schema/schema_error.hpp>

#include "schema/complaint.hpp"
#include "schema/schema_program.hpp"

#include <cstddef>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// One validation of a value. Without `errors` it stops at the first error and for most schemas allocates nothing. With `errors` it
/// continues until there are `max_schema_errors`.
///
/// Annotations for `unevaluatedProperties` and `unevaluatedItems` are a log of the addresses of evaluated values. A schema that fails
/// truncates the log to its former length. The address of an array or object stands for all its elements.
class evaluation {
public:
    evaluation(const schema_program& program, std::vector<schema_error>* errors);

    /// Returns whether the value fits. Returns false and sets `gave_up` if a limit was exceeded.
    [[nodiscard]] bool run(const json& value);
    [[nodiscard]] bool gave_up() const noexcept { return gave_up_; }

private:
    [[nodiscard]] bool check(node_index at, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] bool check_keywords(const schema_node& node, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] bool check_values(const schema_node& node, const json& value, const value_path& path);
    [[nodiscard]] bool check_number(const number_rules& rules, const json& value, const value_path& path);
    [[nodiscard]] bool check_text(const string_rules& rules, const std::string& text, const value_path& path);

    [[nodiscard]] bool check_array(const array_rules& rules, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] bool check_unique(const json::array_t& elements, const value_path& path);
    [[nodiscard]] bool check_contains(const array_rules& rules, const json::array_t& elements, const value_path& path, bool annotate);
    [[nodiscard]] bool check_unevaluated_items(const schema_node& node, const json& value, const value_path& path, std::size_t mark);

    [[nodiscard]] bool check_object(const object_rules& rules, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] bool check_required(const object_rules& rules, const json::object_t& members, const value_path& path);
    [[nodiscard]] bool check_members(const object_rules& rules, const json::object_t& members, const value_path& path, bool annotate);
    [[nodiscard]] bool check_name(node_index names, const std::string& name, const value_path& path);
    [[nodiscard]] bool check_unevaluated_properties(const schema_node& node, const json& value, const value_path& path, std::size_t mark);
    /// Checks a member that no keyword names. A forbidden one is reported for the object, with the similar names.
    [[nodiscard]] bool check_other_member(node_index at, std::string_view keyword, const std::vector<named_node>& known,
                                          std::string_view name, const json& value, const value_path& path);

    [[nodiscard]] bool check_in_place(const schema_node& node, const json& value, const value_path& path, bool annotate);
    /// Checks `anyOf`, or `oneOf` if `only_one`.
    [[nodiscard]] bool check_branches(const std::vector<node_index>& branches, bool only_one, const json& value, const value_path& path,
                                      bool annotate);
    [[nodiscard]] bool check_condition(const in_place_rules& rules, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] bool check_dependent(const in_place_rules& rules, const json& value, const value_path& path, bool annotate);
    [[nodiscard]] node_index dynamic_target(const dynamic_reference& reference);

    /// Checks a value whose errors are not those of the whole. If errors are collected, collects them in `apart`; null drops them.
    [[nodiscard]] bool check_apart(std::vector<schema_error>* apart, node_index at, const json& value, const value_path& path,
                                   bool annotate);
    [[nodiscard]] bool check_size(const size_range& limits, std::uint64_t size, std::string_view minimum, std::string_view maximum,
                                  std::string_view noun, const value_path& path);

    /// Sorts the log after `mark` for `logged`. Charges for that and for a search for each of `values`.
    [[nodiscard]] bool sort_log(std::size_t mark, std::size_t values);
    /// Whether the log has the address of `value` after `mark`.
    [[nodiscard]] bool logged(std::size_t mark, const json& value) const;

    [[nodiscard]] bool spend(std::uint64_t steps) noexcept;
    [[nodiscard]] bool collecting() const noexcept;
    [[nodiscard]] bool enter(std::uint32_t resource);
    void report(schema_error error);
    /// Converts the path to text and charges for it.
    [[nodiscard]] std::string here(const value_path& path);

    /// Reports an error with the result of `text()` if errors are collected. Always returns false.
    template <class Text>
    [[nodiscard]] bool refuse(const value_path& path, std::string_view keyword, Text&& text) {
        if (collecting()) {
            report({pointer_to(path), std::string(keyword), std::forward<Text>(text)()});
        }
        return false;
    }

    const schema_program& program_;
    std::vector<schema_error>* errors_;
    std::uint64_t steps_;
    std::size_t depth_ = 0;
    bool gave_up_ = false;
    std::vector<const json*> log_;
    std::vector<std::uint32_t> scope_;  ///< the dynamic scope: resources, outermost first, each once
    std::vector<bool> in_scope_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
