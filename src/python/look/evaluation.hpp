#pragma once
#include "python/look/expression.hpp"
#include "python/look/look_context.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The names of one comprehension. A name without a value is not bound yet.
struct look_scope {
    const look_scope* outer = nullptr;
    std::vector<std::pair<std::string_view, ref>> names = {};
};

/// Evaluates the nodes of one expression. Every function returns null after a failure, which is in the context.
class evaluation {
public:
    evaluation(const expression& tree, PyObject* globals, PyObject* builtins, look_budget& budget)
        : tree_(tree), globals_(globals), context_(builtins, budget), names_(tree.nodes.size()) {}

    [[nodiscard]] const expression& tree() const noexcept { return tree_; }
    [[nodiscard]] look_context& context() noexcept { return context_; }

    [[nodiscard]] looked_value value_of(node_id id, const look_scope* scope);
    /// The value as an object; an iterator is refused.
    [[nodiscard]] ref object_of(node_id id, const look_scope* scope);

private:
    friend class comprehension_items;

    looked_value value_of_kind(node_id id, const look_scope* scope);
    ref literal(const node& literal);
    looked_value call(const node& node, const look_scope* scope);
    ref comparison(const node& node, const look_scope* scope);
    std::optional<bool> compare(operation operation, PyObject* left, const looked_value& right);
    looked_value and_or(const node& node, const look_scope* scope);
    looked_value conditional(const node& node, const look_scope* scope);
    ref sequence_display(const node& node, const look_scope* scope);
    ref dict_display(const node& node, const look_scope* scope);
    ref formatted(const node& node, const look_scope* scope);
    ref field(const node& node, const look_scope* scope);
    std::optional<bool> truth(const looked_value& value);

    // evaluated_lookups.cpp
    ref name(node_id id, const look_scope* scope);
    ref attribute(const node& node, const look_scope* scope);
    ref subscript(const node& node, const look_scope* scope);
    ref slice_of(PyObject* object, PyObject* slice);
    ref slice(const node& node, const look_scope* scope);

    // comprehension.cpp
    ref comprehension(node_id id, const look_scope* scope);
    std::shared_ptr<item_stream> generator(node_id id, const look_scope* scope);

    const expression& tree_;
    PyObject* globals_;
    look_context context_;
    std::vector<ref> names_;  ///< of the session, once they were found; by node
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
