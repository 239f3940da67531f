#include "python/look/expression_parser.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

constexpr std::string_view blanks = " \t\f";
constexpr std::string_view blanks_and_line_ends = " \t\f\r\n";

bool starts_a_name(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || static_cast<unsigned char>(c) >= 0x80;
}

struct spelling {
    std::string_view text;
    operation meaning;
    unsigned level = 0;
};

/// Levels grow with the strength of the operator. Longer operators come before their prefixes.
constexpr std::array<spelling, 12> binary_operators = {{{"|", operation::bit_or, 1},
                                                        {"^", operation::bit_xor, 2},
                                                        {"&", operation::bit_and, 3},
                                                        {"<<", operation::shift_left, 4},
                                                        {">>", operation::shift_right, 4},
                                                        {"+", operation::add, 5},
                                                        {"-", operation::subtract, 5},
                                                        {"//", operation::floor_divide, 6},
                                                        {"*", operation::multiply, 6},
                                                        {"/", operation::divide, 6},
                                                        {"%", operation::modulo, 6},
                                                        {"@", operation::matrix_multiply, 6}}};

constexpr std::array<spelling, 6> comparison_operators = {{{"<=", operation::less_equal},
                                                           {">=", operation::greater_equal},
                                                           {"==", operation::equal},
                                                           {"!=", operation::not_equal},
                                                           {"<", operation::less},
                                                           {">", operation::greater}}};

}  // namespace

bool expression_parser::take(char c) {
    const bool found = !at_end() && source()[at_] == c;
    at_ += found ? 1 : 0;
    return found;
}

std::string_view expression_parser::word() const {
    std::size_t end = at_;
    if (starts_a_name(peek())) {
        while (end < source().size() && (starts_a_name(source()[end]) || pyaichat::detail::is_digit(source()[end]))) {
            ++end;
        }
    }
    return source().substr(at_, end - at_);
}

bool expression_parser::take_word(std::string_view expected) {
    const bool found = word() == expected;
    at_ += found ? expected.size() : 0;
    return found;
}

void expression_parser::skip_blanks() {
    at_ = std::min(source().find_first_not_of(brackets_ > 0 ? blanks_and_line_ends : blanks, at_), source().size());
}

node_id expression_parser::fail(std::string_view why) {
    if (!failure_) {
        const std::string rest = pyaichat::detail::one_line(source().substr(std::min(at_, source().size())), 40);
        failure_ =
            failure{.code = errc::not_allowed, .message = std::string(why) + (rest.empty() ? " at the end" : ", from here on: " + rest)};
    }
    return no_node;
}

node_id expression_parser::add(node_kind kind, std::size_t begin, std::vector<node_id> children, std::string text,
                               std::vector<operation> operations) {
    std::uint32_t depth = 0;
    for (const node_id each : children) {
        depth = each == no_node ? depth : std::max(depth, tree_[each].depth);
    }
    if (depth >= max_expression_depth) {
        return too_deep();
    }
    std::size_t end = at_;  // without the blanks that were skipped to look for an operator
    while (end > begin && blanks_and_line_ends.find(source()[end - 1]) != std::string_view::npos) {
        --end;
    }
    tree_.nodes.push_back({.kind = kind,
                           .begin = static_cast<std::uint32_t>(begin),
                           .end = static_cast<std::uint32_t>(end),
                           .depth = depth + 1,
                           .text = std::move(text),
                           .children = std::move(children),
                           .operations = std::move(operations)});
    return static_cast<node_id>(tree_.nodes.size() - 1);
}

/// Appends a node to a list of children and returns it; a failure is only returned.
node_id expression_parser::kept(std::vector<node_id>& into, node_id id) const {
    if (id != no_node) {
        into.push_back(id);
    }
    return id;
}

result<expression> expression_parser::parse() {
    if (source().size() > max_expression_bytes) {
        return failure{.code = errc::not_allowed,
                       .message = "an expression has at most " + std::to_string(max_expression_bytes) + " bytes"};
    }
    if (!pyaichat::detail::is_utf8(source()) || source().find('\0') != std::string_view::npos) {
        return failure{.code = errc::not_allowed, .message = "an expression is UTF-8 text without NUL bytes"};
    }
    ++brackets_;
    skip_blanks();
    --brackets_;
    tree_.root = items_until("", false);
    ++brackets_;
    skip_blanks();
    if (!failure_ && !at_end()) {
        fail("not a supported expression");
    }
    return failure_ ? result<expression>(*std::move(failure_)) : result<expression>(std::move(tree_));
}

node_id expression_parser::conditional() {
    const nesting nested(*this);
    if (!nested.fits()) {
        return too_deep();
    }
    skip_blanks();
    const std::size_t begin = at_;
    const node_id value = disjunction();
    skip_blanks();
    if (value == no_node || !take_word("if")) {
        return value;
    }
    const node_id condition = disjunction();
    skip_blanks();
    if (condition == no_node || !take_word("else")) {
        return fail("`else` is missing");
    }
    const node_id otherwise = conditional();
    return otherwise == no_node ? no_node : add(node_kind::conditional, begin, {condition, value, otherwise});
}

node_id expression_parser::disjunction() {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> operands;
    do {
        if (kept(operands, conjunction()) == no_node) {
            return no_node;
        }
        skip_blanks();
    } while (take_word("or"));
    return operands.size() == 1 ? operands.front() : add(node_kind::disjunction, begin, std::move(operands));
}

node_id expression_parser::conjunction() {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> operands;
    do {
        if (kept(operands, inversion()) == no_node) {
            return no_node;
        }
        skip_blanks();
    } while (take_word("and"));
    return operands.size() == 1 ? operands.front() : add(node_kind::conjunction, begin, std::move(operands));
}

node_id expression_parser::inversion() {
    skip_blanks();
    const std::size_t begin = at_;
    if (!take_word("not")) {
        return comparison();
    }
    const nesting nested(*this);
    if (!nested.fits()) {
        return too_deep();
    }
    const node_id operand = inversion();
    return operand == no_node ? no_node : add(node_kind::unary, begin, {operand}, {}, {operation::not_});
}

std::optional<operation> expression_parser::take_comparison() {
    for (const spelling& each : comparison_operators) {
        if (sees(each.text)) {
            at_ += each.text.size();
            return each.meaning;
        }
    }
    if (take_word("in")) {
        return operation::in;
    }
    const std::size_t begin = at_;
    const bool is = take_word("is");
    if (is || word() == "not") {
        skip_blanks();
        const bool negated = take_word("not");
        if (is) {
            return negated ? operation::is_not : operation::is;
        }
        skip_blanks();
        if (take_word("in")) {
            return operation::not_in;
        }
    }
    at_ = begin;
    return std::nullopt;
}

node_id expression_parser::comparison() {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> operands;
    std::vector<operation> operations;
    if (kept(operands, binary(1)) == no_node) {
        return no_node;
    }
    skip_blanks();
    for (std::optional<operation> next = take_comparison(); next; next = take_comparison()) {
        operations.push_back(*next);
        if (kept(operands, binary(1)) == no_node) {
            return no_node;
        }
        skip_blanks();
    }
    return operations.empty() ? operands.front() : add(node_kind::comparison, begin, std::move(operands), {}, std::move(operations));
}

std::optional<expression_parser::binary_operator> expression_parser::take_binary(unsigned weakest) {
    for (const spelling& each : binary_operators) {
        if (sees(each.text) && !(each.meaning == operation::multiply && peek(1) == '*')) {
            if (each.level < weakest) {
                return std::nullopt;
            }
            at_ += each.text.size();
            return binary_operator{each.meaning, each.level};
        }
    }
    return std::nullopt;
}

node_id expression_parser::binary(unsigned weakest) {
    skip_blanks();
    const std::size_t begin = at_;
    node_id left = unary();
    skip_blanks();
    // Precedence climbing: a function for each level of operators would make the recursion for one bracket seven calls deeper.
    while (left != no_node) {
        const std::optional<binary_operator> next = take_binary(weakest);
        if (!next) {
            return left;
        }
        const node_id right = binary(next->level + 1);
        left = right == no_node ? no_node : add(node_kind::binary, begin, {left, right}, {}, {next->meaning});
        skip_blanks();
    }
    return no_node;
}

node_id expression_parser::unary() {
    skip_blanks();
    const std::size_t begin = at_;
    const char sign = peek();
    if (sign != '-' && sign != '+' && sign != '~') {
        return power();
    }
    const nesting nested(*this);
    if (!nested.fits()) {
        return too_deep();
    }
    ++at_;
    const node_id operand = unary();
    const operation meaning = sign == '-' ? operation::negate : sign == '+' ? operation::plus : operation::invert;
    return operand == no_node ? no_node : add(node_kind::unary, begin, {operand}, {}, {meaning});
}

node_id expression_parser::power() {
    const std::size_t begin = at_;
    const node_id base = primary();
    skip_blanks();
    if (base == no_node || !sees("**")) {
        return base;
    }
    const nesting nested(*this);
    if (!nested.fits()) {
        return too_deep();
    }
    at_ += 2;
    const node_id exponent = unary();
    return exponent == no_node ? no_node : add(node_kind::binary, begin, {base, exponent}, {}, {operation::power});
}

result<expression> parse_expression(std::string_view text) {
    return expression_parser(text.size() > max_expression_bytes ? text.substr(0, max_expression_bytes + 1) : text).parse();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
