#pragma once
#include "python/look/expression.hpp"

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

/// Parses one expression by recursive descent, directly on the text: f-strings nest expressions in strings, so there are no separate
/// tokens. A function that returns a `node_id` returns `no_node` after a failure.
class expression_parser {
public:
    explicit expression_parser(std::string_view text) { tree_.source = text; }

    [[nodiscard]] result<expression> parse();

private:
    // Text (expression_parser.cpp).
    [[nodiscard]] std::string_view source() const { return tree_.source; }
    [[nodiscard]] char peek(std::size_t ahead = 0) const { return at_ + ahead < source().size() ? source()[at_ + ahead] : '\0'; }
    [[nodiscard]] bool at_end() const { return at_ >= source().size(); }
    [[nodiscard]] bool sees(std::string_view next) const { return source().substr(at_).starts_with(next); }
    [[nodiscard]] bool take(char c);
    [[nodiscard]] bool take_word(std::string_view word);
    /// The name or keyword at the current place; empty if there is none.
    [[nodiscard]] std::string_view word() const;
    /// Skips blanks, and inside of brackets line ends too.
    void skip_blanks();
    /// Stores the first failure.
    node_id fail(std::string_view why);

    // Nodes.
    node_id add(node_kind kind, std::size_t begin, std::vector<node_id> children = {}, std::string text = {},
                std::vector<operation> operations = {});
    [[nodiscard]] node_id kept(std::vector<node_id>& into, node_id id) const;

    // Operators (expression_parser.cpp).
    node_id conditional();
    node_id disjunction();
    node_id conjunction();
    node_id inversion();
    node_id comparison();
    [[nodiscard]] std::optional<operation> take_comparison();
    node_id binary(unsigned weakest);
    struct binary_operator {
        operation meaning;
        unsigned level;
    };
    /// Takes an operator that binds at least as strongly as the level `weakest`.
    [[nodiscard]] std::optional<binary_operator> take_binary(unsigned weakest);
    node_id unary();
    node_id power();

    // Atoms, calls and displays (expression_atoms.cpp).
    /// Parses `a`, or `a, b` as a tuple, up to `closer`, which is not taken.
    node_id items_until(std::string_view closers, bool slices);
    node_id subscript_item();
    node_id primary();
    node_id call(node_id callee, std::size_t begin);
    node_id argument(bool& keywords);
    node_id atom();
    node_id parenthesized();
    node_id list_display();
    node_id brace_display();
    bool clauses(std::vector<node_id>& into);
    node_id target_list();
    node_id target();

    // Literals (expression_literals.cpp).
    node_id number();
    bool digits(std::string& into, int base);
    /// Parses string literals that follow each other. `sees_string` says whether there is one.
    [[nodiscard]] bool sees_string() const;
    node_id strings();
    struct quoting {
        bool raw = false;
        bool bytes = false;
        bool formatted = false;
        char quote = '"';
        bool triple = false;
    };
    bool string(std::vector<node_id>& parts, std::optional<bool>& bytes);
    bool string_body(const quoting& form, std::vector<node_id>& parts);
    bool character(const quoting& form, std::string& into);
    bool escape(const quoting& form, std::string& into);
    /// Parses the literal text and the fields of an f-string, or of a format specification up to `}`.
    bool formatted_parts(const quoting& form, bool specification, std::vector<node_id>& parts);
    bool field(const quoting& form, std::string& text_before, std::vector<node_id>& parts);

    /// Counts nested calls of the parser while it lives.
    class nesting {
    public:
        explicit nesting(expression_parser& parser) : parser_(parser) { ++parser_.depth_; }
        ~nesting() { --parser_.depth_; }
        nesting(const nesting&) = delete;
        nesting& operator=(const nesting&) = delete;
        [[nodiscard]] bool fits() const { return parser_.depth_ <= max_expression_depth; }

    private:
        expression_parser& parser_;
    };
    node_id too_deep() { return fail("the expression is nested too deeply"); }

    expression tree_;
    std::size_t at_ = 0;
    std::uint32_t depth_ = 0;
    int brackets_ = 0;  ///< open brackets, in which a line may end
    std::optional<failure> failure_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
