#include "python/look/path.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

bool is_literal(const expression& tree, node_id id) {
    const node& each = tree[id];
    switch (each.kind) {
        case node_kind::none:
        case node_kind::false_:
        case node_kind::true_:
        case node_kind::integer:
        case node_kind::floating:
        case node_kind::text:
        case node_kind::bytes: return true;
        case node_kind::unary: return each.operations.front() == operation::negate && is_literal(tree, each.children.front());
        case node_kind::tuple: return std::ranges::all_of(each.children, [&](node_id item) { return is_literal(tree, item); });
        default: return false;
    }
}

std::optional<std::int64_t> literal_integer(const expression& tree, node_id id) {
    const node& each = tree[id];
    if (each.kind == node_kind::true_ || each.kind == node_kind::false_) {
        return each.kind == node_kind::true_ ? 1 : 0;
    }
    if (each.kind == node_kind::unary) {
        const std::optional<std::int64_t> value = literal_integer(tree, each.children.front());
        return value && *value > 0 ? std::optional(-*value) : value;
    }
    if (each.kind != node_kind::integer) {
        return std::nullopt;
    }
    std::string digits = each.text;
    std::erase(digits, '_');
    const char letter = digits.size() > 2 && digits[0] == '0' ? digits[1] : ' ';
    const int base = letter == 'x' || letter == 'X' ? 16 : letter == 'o' || letter == 'O' ? 8 : letter == 'b' || letter == 'B' ? 2 : 10;
    errno = 0;
    const long long value = std::strtoll(digits.c_str() + (base == 10 ? 0 : 2), nullptr, base);
    return errno == 0 ? std::optional<std::int64_t>(value) : std::nullopt;
}

/// Adds the steps of the tree below `id`, outermost last. Returns false if it is not a path.
bool add_steps(const expression& tree, node_id id, path& into) {
    const node& each = tree[id];
    if (each.kind == node_kind::name) {
        into.root = each.text;
        return true;
    }
    const bool item = each.kind == node_kind::subscript;
    if ((!item && each.kind != node_kind::attribute) || !add_steps(tree, each.children.front(), into)) {
        return false;
    }
    const std::uint32_t begin = tree[each.children.front()].end;
    path_step step;
    step.source = tree.source.substr(begin, each.end - begin);
    if (!item) {
        step.attribute = each.text;
    } else if (const node_id key = each.children[1]; !is_literal(tree, key)) {
        return false;
    } else if (tree[key].kind == node_kind::text) {
        step.key = tree[key].text;
    } else if (const std::optional<std::int64_t> number = literal_integer(tree, key)) {
        step.key = *number;
    }
    into.steps.push_back(std::move(step));
    return true;
}

}  // namespace

result<path> parse_path(std::string_view text) {
    const result<expression> tree = parse_expression(text);
    if (!tree) {
        return tree.error();
    }
    path found;
    if (!add_steps(*tree, tree->root, found)) {
        return failure{.code = errc::not_allowed, .message = "it is not a name with attributes and items by literal keys"};
    }
    return found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
