#pragma once
#include <pyaichat/core/result.hpp>

#include <cstdint>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// The position of a node in `expression::nodes`.
using node_id = std::uint32_t;
/// Stands for an optional part that is not there.
inline constexpr node_id no_node = std::numeric_limits<node_id>::max();

/// What a node is. The comment lists its children.
enum class node_kind : unsigned char {
    none,
    false_,
    true_,
    ellipsis,
    integer,             ///< `text`: digits as Python's `int(text, 0)` reads them
    floating,            ///< `text`: without underscores
    imaginary,           ///< `text`: without underscores and `j`
    text,                ///< `text`: the value as UTF-8
    bytes,               ///< `text`: the value
    name,                ///< `text`
    attribute,           ///< object; `text`: the name
    subscript,           ///< object, key
    slice,               ///< lower, upper, step; each may be `no_node`
    call,                ///< callee, arguments...
    keyword,             ///< value; `text`: the name. Only in calls, after the positional arguments
    unary,               ///< operand; one operation
    binary,              ///< left, right; one operation
    comparison,          ///< operands...; an operation between each two
    conjunction,         ///< operands of `and`...
    disjunction,         ///< operands of `or`...
    conditional,         ///< condition, value, otherwise
    tuple,               ///< items...
    list,                ///< items...
    set,                 ///< items...
    dict,                ///< key, value, key, value...
    generator,           ///< element, clauses...
    list_comprehension,  ///< element, clauses...
    set_comprehension,   ///< element, clauses...
    dict_comprehension,  ///< key, value, clauses...
    clause,              ///< target (names and nested tuples of names), iterable, conditions...
    formatted,           ///< an f-string: nodes `text` and `field`...
    field,               ///< value, format specification (`formatted`, or `no_node`); `text`: "r", "s", "a" or empty
};

enum class operation : unsigned char {
    add,
    subtract,
    multiply,
    divide,
    floor_divide,
    modulo,
    power,
    matrix_multiply,
    shift_left,
    shift_right,
    bit_and,
    bit_or,
    bit_xor,
    negate,
    plus,
    invert,
    not_,
    less,
    less_equal,
    equal,
    not_equal,
    greater_equal,
    greater,
    in,
    not_in,
    is,
    is_not,
};

struct node {
    node_kind kind = node_kind::none;
    std::uint32_t begin = 0;  ///< place in the source
    std::uint32_t end = 0;
    std::uint32_t depth = 1;  ///< of the tree below, this node included
    std::string text = {};
    std::vector<node_id> children = {};
    std::vector<operation> operations = {};
};

/// The syntax tree of a Python expression.
struct expression {
    std::string source = {};
    std::vector<node> nodes = {};
    node_id root = no_node;

    [[nodiscard]] const node& operator[](node_id id) const { return nodes[id]; }
    /// The source of one node.
    [[nodiscard]] std::string_view source_of(node_id id) const {
        return std::string_view(source).substr(nodes[id].begin, nodes[id].end - nodes[id].begin);
    }
};

inline constexpr std::size_t max_expression_bytes = 16 * 1024;
/// The maximum depth of a syntax tree, and of the parser's recursion.
inline constexpr std::uint32_t max_expression_depth = 64;
inline constexpr std::size_t max_integer_digits = 4000;

/// Parses a Python expression without Python: `compile` would call audit hooks and print warnings, which may be the user's code. Fails
/// with `not_allowed` for syntax errors and for what the evaluator never supports (lambda, walrus, starred, yield, await); the message says
/// where.
[[nodiscard]] result<expression> parse_expression(std::string_view text);

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
