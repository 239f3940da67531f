#include "python/look/evaluator.hpp"

#include "python/look/allowed_calls.hpp"
#include "python/look/evaluation.hpp"
#include "python/look/operators.hpp"
#include "python/look/text_format.hpp"

#include <pyaichat/core/text.hpp>

#include <string>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

looked_value evaluation::value_of(node_id id, const look_scope* scope) {
    const std::string_view outer = context_.at;
    context_.at = tree_.source_of(id);
    looked_value value = context_.spend(1) ? value_of_kind(id, scope) : looked_value{};
    if (!value && !context_.failed()) {
        context_.raise_current();  // Python had no memory for a small object
    }
    context_.at = outer;
    return context_.failed() ? looked_value{} : value;
}

ref evaluation::object_of(node_id id, const look_scope* scope) {
    looked_value value = value_of(id, scope);
    if (value.items) {
        return context_.refuse("an iterator is only supported where it is read at once, as in list(...)");
    }
    return std::move(value.object);
}

looked_value evaluation::value_of_kind(node_id id, const look_scope* scope) {
    const node& node = tree_[id];
    switch (node.kind) {
        case node_kind::none: return {.object = ref::share(Py_None)};
        case node_kind::false_: return {.object = ref::share(Py_False)};
        case node_kind::true_: return {.object = ref::share(Py_True)};
        case node_kind::ellipsis: return {.object = ref::share(Py_Ellipsis)};
        case node_kind::integer:
        case node_kind::floating:
        case node_kind::imaginary:
        case node_kind::text:
        case node_kind::bytes: return {.object = literal(node)};
        case node_kind::name: return {.object = name(id, scope)};
        case node_kind::attribute: return {.object = attribute(node, scope)};
        case node_kind::subscript: return {.object = subscript(node, scope)};
        case node_kind::slice: return {.object = slice(node, scope)};
        case node_kind::call: return call(node, scope);
        case node_kind::unary: {
            const looked_value operand = value_of(node.children[0], scope);
            if (operand.items && node.operations[0] == operation::not_) {
                return {.object = ref::share(Py_False)};  // every iterator is true
            }
            return {.object = operand.object ? apply_unary(context_, node.operations[0], operand.object.get())
                                             : context_.refuse("an iterator has no operators")};
        }
        case node_kind::binary: {
            const ref left = object_of(node.children[0], scope);
            const ref right = left ? object_of(node.children[1], scope) : ref();
            return {.object = right ? apply_binary(context_, node.operations[0], left.get(), right.get()) : ref()};
        }
        case node_kind::comparison: return {.object = comparison(node, scope)};
        case node_kind::conjunction:
        case node_kind::disjunction: return and_or(node, scope);
        case node_kind::conditional: return conditional(node, scope);
        case node_kind::tuple:
        case node_kind::list:
        case node_kind::set: return {.object = sequence_display(node, scope)};
        case node_kind::dict: return {.object = dict_display(node, scope)};
        case node_kind::generator: return {.items = generator(id, scope)};
        case node_kind::list_comprehension:
        case node_kind::set_comprehension:
        case node_kind::dict_comprehension: return {.object = comprehension(id, scope)};
        case node_kind::formatted: return {.object = formatted(node, scope)};
        case node_kind::field: return {.object = field(node, scope)};
        case node_kind::keyword:
        case node_kind::clause: break;  // read by the call and the comprehension that have them
    }
    return {.object = context_.refuse("it is not supported")};
}

ref evaluation::literal(const node& literal) {
    const std::string& text = literal.text;
    if (literal.kind == node_kind::integer) {
        return context_.checked(ref::steal(PyLong_FromString(text.c_str(), nullptr, 0)));
    }
    if (literal.kind == node_kind::text) {
        return context_.checked(to_python(text));
    }
    if (literal.kind == node_kind::bytes) {
        return context_.checked(ref::steal(PyBytes_FromStringAndSize(text.data(), static_cast<Py_ssize_t>(text.size()))));
    }
    const double value = PyOS_string_to_double(text.c_str(), nullptr, nullptr);
    if (PyErr_Occurred() != nullptr) {
        return context_.raise_current();
    }
    return context_.checked(ref::steal(literal.kind == node_kind::floating ? PyFloat_FromDouble(value) : PyComplex_FromDoubles(0, value)));
}

looked_value evaluation::call(const node& node, const look_scope* scope) {
    const ref callee = object_of(node.children[0], scope);
    look_arguments arguments;
    for (std::size_t i = 1; callee && i < node.children.size() && !context_.failed(); ++i) {
        const auto& each = tree_[node.children[i]];
        if (each.kind != node_kind::keyword) {
            arguments.positional.push_back(value_of(node.children[i], scope));
        } else if (arguments.find(SIZE_MAX, each.text) != nullptr) {
            context_.refuse("an argument is repeated");
        } else {
            arguments.named.emplace_back(each.text, value_of(each.children[0], scope));
        }
    }
    const bool of_column =
        std::ranges::any_of(arguments.positional, [&](const looked_value& each) { return is_stand_in(each.object.get()); });
    if (of_column && !context_.failed() && tree_[node.children[0]].text != "len") {
        return {context_.refuse(only_code_makes_columns)};
    }
    return context_.failed() ? looked_value{} : call_allowed(context_, callee.get(), arguments);
}

ref evaluation::comparison(const node& node, const look_scope* scope) {
    looked_value left = value_of(node.children[0], scope);
    for (std::size_t i = 0; i < node.operations.size(); ++i) {
        if (left.items || !left) {
            return context_.refuse("an iterator cannot be compared");
        }
        looked_value right = value_of(node.children[i + 1], scope);
        const std::optional<bool> holds = right ? compare(node.operations[i], left.object.get(), right) : std::nullopt;
        if (!holds) {
            return {};
        }
        if (!*holds) {
            return ref::share(Py_False);
        }
        left = std::move(right);
    }
    return ref::share(Py_True);
}

std::optional<bool> evaluation::compare(operation operation, PyObject* left, const looked_value& right) {
    if (right.object) {
        return apply_comparison(context_, operation, left, right.object.get());
    }
    if (operation != operation::in && operation != operation::not_in) {
        context_.refuse("an iterator cannot be compared");
        return std::nullopt;
    }
    bool found = false;
    while (!found) {
        const ref item = right.items->next();
        if (!item) {
            break;
        }
        const std::optional<bool> same =
            item.get() == left ? std::optional(true) : apply_comparison(context_, operation::equal, item.get(), left);
        if (!same) {
            return std::nullopt;
        }
        found = *same;
    }
    return context_.failed() ? std::nullopt : std::optional(found == (operation == operation::in));
}

std::optional<bool> evaluation::truth(const looked_value& value) {
    return value.items ? std::optional(true) : truth_of(context_, value.object.get());
}

looked_value evaluation::and_or(const node& node, const look_scope* scope) {
    looked_value value;
    for (std::size_t i = 0; i < node.children.size(); ++i) {
        value = value_of(node.children[i], scope);
        const bool last = i + 1 == node.children.size();
        const std::optional<bool> holds = !value || last ? std::nullopt : truth(value);
        if (context_.failed() || (holds && *holds == (node.kind == node_kind::disjunction))) {
            break;
        }
    }
    return value;
}

looked_value evaluation::conditional(const node& node, const look_scope* scope) {
    const looked_value condition = value_of(node.children[0], scope);
    const std::optional<bool> holds = condition ? truth(condition) : std::nullopt;
    return holds ? value_of(node.children[*holds ? 1 : 2], scope) : looked_value{};
}

/// Tuples, lists and sets.
ref evaluation::sequence_display(const node& node, const look_scope* scope) {
    const auto size = static_cast<Py_ssize_t>(node.children.size());
    ref items = context_.checked(ref::steal(node.kind == node_kind::tuple ? PyTuple_New(size) : PyList_New(size)));
    for (Py_ssize_t i = 0; items && i < size; ++i) {
        ref item = object_of(node.children[static_cast<std::size_t>(i)], scope);
        if (!item) {
            return {};
        }
        PyObject* const stored = item.release();
        node.kind == node_kind::tuple ? static_cast<void>(PyTuple_SET_ITEM(items.get(), i, stored))
                                      : static_cast<void>(PyList_SET_ITEM(items.get(), i, stored));
    }
    if (node.kind != node_kind::set || !items) {
        return items;
    }
    return context_.is_plain(items.get()) ? context_.checked(ref::steal(PySet_New(items.get()))) : ref();
}

ref evaluation::dict_display(const node& node, const look_scope* scope) {
    ref dict = context_.checked(ref::steal(PyDict_New()));
    for (std::size_t i = 0; dict && i < node.children.size(); i += 2) {
        const ref key = object_of(node.children[i], scope);
        const ref value = key ? object_of(node.children[i + 1], scope) : ref();
        if (!value || !context_.is_plain(key.get())) {
            return {};
        }
        if (PyDict_SetItem(dict.get(), key.get(), value.get()) != 0) {
            return context_.raise_current();
        }
    }
    return dict;
}

ref evaluation::formatted(const node& node, const look_scope* scope) {
    const ref parts = context_.checked(ref::steal(PyList_New(0)));
    std::size_t size = 0;
    for (std::size_t i = 0; parts && i < node.children.size(); ++i) {
        const ref part = object_of(node.children[i], scope);
        if (!part) {
            return {};
        }
        size += static_cast<std::size_t>(PyUnicode_GET_LENGTH(part.get()));
        if (PyList_Append(parts.get(), part.get()) != 0) {
            return context_.raise_current();
        }
    }
    const ref nothing = to_python("");
    return parts && nothing && context_.fits_text(size) ? context_.checked(ref::steal(PyUnicode_Join(nothing.get(), parts.get()))) : ref();
}

ref evaluation::field(const node& node, const look_scope* scope) {
    ref value = object_of(node.children[0], scope);
    if (value && !node.text.empty()) {
        value = node.text == "r"   ? repr_of(context_, value.get())
                : node.text == "a" ? ascii_of(context_, value.get())
                                   : str_of(context_, value.get());
    }
    const ref specification = !value ? ref() : node.children[1] == no_node ? to_python("") : object_of(node.children[1], scope);
    return specification ? format_value(context_, value.get(), specification.get()) : ref();
}

looked evaluate(std::string_view source, PyObject* globals, PyObject* builtins, look_budget& budget) {
    const result<expression> parsed = parse_expression(source);
    if (!parsed) {
        return reply_error(
            reply_code::not_allowed,
            "`" + pyaichat::detail::one_line(source, 80) + "`: " + parsed.error().message +
                ". Only tier 2, a copy of the process, could evaluate it, if it is a Python expression: use eval_expr",
            json::object({{"at", pyaichat::detail::one_line(source, 200)}, {"needed_tier", 2}, {"why", parsed.error().message}}));
    }
    const collector_pause paused;  // it would run `__del__`
    evaluation evaluation(*parsed, globals, builtins, budget);
    ref value = evaluation.object_of(parsed->root, nullptr);
    PyErr_Clear();
    return value ? looked(std::move(value)) : looked(evaluation.context().take_failure());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
