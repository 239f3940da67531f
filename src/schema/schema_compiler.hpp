#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/schema/validate.hpp>

#include "schema/schema_documents.hpp"
#include "schema/schema_program.hpp"

#include <algorithm>
#include <cstdint>
#include <deque>
#include <functional>
#include <initializer_list>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Compiles a schema and the documents that it refers to. Each schema becomes one node. A work list replaces recursion.
class schema_compiler {
public:
    explicit schema_compiler(const schema_options& options);

    [[nodiscard]] result<std::shared_ptr<const schema_program>> run(const json& schema);

private:
    struct task {
        node_index node = no_node;
        const json* schema = nullptr;
        std::uint32_t resource = 0;
        dialect active = {};
        std::string path = {};  ///< "#/properties/x", for messages
    };

    /// Compile the keywords of one schema, by group.
    void compile(const task& work);
    void compile_values(const task& work, schema_node& node);
    void compile_numbers(const task& work, schema_node& node);
    void compile_strings(const task& work, schema_node& node);
    void compile_arrays(const task& work, schema_node& node);
    void compile_objects(const task& work, schema_node& node);
    void compile_in_place(const task& work, schema_node& node);
    void compile_dependencies(const task& work, schema_node& node);
    void compile_references(const task& work, in_place_rules& rules);

    /// Returns the node of a schema. A new node is queued for compilation.
    [[nodiscard]] node_index node_for(const schema_place& place, std::string path);
    [[nodiscard]] node_index child(const task& work, std::string_view keyword);
    [[nodiscard]] node_index element(const task& work, std::string_view keyword, std::string_view name, const json& schema);
    [[nodiscard]] std::vector<node_index> children(const task& work, std::string_view keyword);
    [[nodiscard]] std::vector<named_node> named_children(const task& work, std::string_view keyword);
    [[nodiscard]] std::optional<pattern> compile_pattern(const task& work, std::string_view keyword, std::string_view text);
    void enter_resource(std::uint32_t resource);
    [[nodiscard]] std::uint32_t anchor_number(const std::string& name);

    /// Returns the value of a keyword that the schema's dialect has, or null.
    [[nodiscard]] static const json* keyword_of(const task& work, std::string_view keyword) noexcept;
    /// Creates a group of rules if the schema has one of its keywords.
    template <class Rules>
    [[nodiscard]] static std::unique_ptr<Rules> rules_if_any(const task& work, std::initializer_list<std::string_view> keywords) {
        const bool any =
            std::any_of(keywords.begin(), keywords.end(), [&](std::string_view name) { return keyword_of(work, name) != nullptr; });
        return any ? std::make_unique<Rules>() : nullptr;
    }

    /// Read a member of the schema. A value of the wrong type is refused.
    template <class Fits>
    [[nodiscard]] const json* member(const task& work, std::string_view keyword, Fits fits, std::string_view requirement) {
        const json* value = keyword_of(work, keyword);
        if (value != nullptr && !std::invoke(fits, *value)) {
            refuse(work, keyword, requirement);
            return nullptr;
        }
        return value;
    }
    [[nodiscard]] const json* number(const task& work, std::string_view keyword);
    [[nodiscard]] std::uint64_t count(const task& work, std::string_view keyword, std::uint64_t otherwise);
    [[nodiscard]] std::vector<std::string_view> texts(const json& list, const task& work, std::string_view keyword);

    void refuse(const task& work, std::string_view keyword, std::string_view what, errc code = errc::invalid_argument);
    void refuse_endless_references();

    std::shared_ptr<schema_program> program_ = std::make_shared<schema_program>();
    const schema_options& options_;
    std::size_t pattern_bytes_ = 0;
    schema_documents documents_;
    std::deque<task> open_;
    std::unordered_map<const json*, node_index> nodes_;
    std::vector<std::string> paths_;  ///< of each node
    std::vector<bool> entered_;       ///< resources whose dynamic anchors are compiled
    std::map<std::string, std::uint32_t> anchors_;
    std::optional<failure> failed_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
