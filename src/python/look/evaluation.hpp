#pragma once
#include "python/look/expression.hpp"
#include "python/look/look_context.hpp"
#include "python/look/static_lookup.hpp"

#include <memory>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Why an expression cannot go on with a column of a frame, which a look shows as an array.
inline constexpr const char* only_code_makes_columns = "a column becomes a Series only by code";

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

    /// The value of a lookup. Remembers a stand-in: an expression may only look at what it shares with the value that Python would make.
    ref take(lookup&& found);
    [[nodiscard]] bool is_stand_in(PyObject* object) const noexcept;

    // comprehension.cpp
    ref comprehension(node_id id, const look_scope* scope);
    std::shared_ptr<item_stream> generator(node_id id, const look_scope* scope);

    const expression& tree_;
    PyObject* globals_;
    look_context context_;
    std::vector<ref> stand_ins_;
    std::vector<ref> names_;  ///< of the session, once they were found; by node
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
