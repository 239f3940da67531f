#include "python/look/expression_parser.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

bool is_keyword(std::string_view name) {
    constexpr std::array<std::string_view, 35> keywords = {
        "False",  "None",     "True", "and",    "as",   "assert", "async",   "await",  "break", "class",  "continue", "def",
        "del",    "elif",     "else", "except", "for",  "from",   "finally", "global", "if",    "import", "in",       "is",
        "lambda", "nonlocal", "not",  "or",     "pass", "raise",  "return",  "try",    "while", "with",   "yield"};
    return std::find(keywords.begin(), keywords.end(), name) != keywords.end();
}

/// Whether a name has characters that are invisible or reorder the text around them (spaces, bidirectional marks, byte order mark).
bool is_misleading(std::string_view name) {
    return name.find("\xE2\x80") != std::string_view::npos || name.find("\xE2\x81") != std::string_view::npos ||
           name.find("\xEF\xBB\xBF") != std::string_view::npos || name.find("\xC2\xA0") != std::string_view::npos;
}

}  // namespace

node_id expression_parser::items_until(std::string_view closers, bool slices) {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> items;
    bool comma = false;
    const auto ended = [&] { return closers.empty() ? at_end() : closers.find(peek()) != std::string_view::npos; };
    do {
        if (kept(items, slices ? subscript_item() : conditional()) == no_node) {
            return no_node;
        }
        skip_blanks();
        comma = take(',');
        skip_blanks();
    } while (comma && !ended());
    return items.size() == 1 && !comma ? items.front() : add(node_kind::tuple, begin, std::move(items));
}

node_id expression_parser::subscript_item() {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> parts;
    bool colon = false;
    do {
        skip_blanks();
        const bool omitted = peek() == ':' || (colon && (peek() == ']' || peek() == ','));
        const node_id part = omitted ? no_node : conditional();
        if (failure_) {
            return no_node;
        }
        parts.push_back(part);
        skip_blanks();
        colon = parts.size() < 3 && take(':');
        if (colon && sees("=")) {
            return fail("assignment expressions are not supported");
        }
    } while (colon);
    if (parts.size() == 1) {
        return parts.front();
    }
    parts.resize(3, no_node);
    return add(node_kind::slice, begin, std::move(parts));
}

node_id expression_parser::primary() {
    skip_blanks();
    const std::size_t begin = at_;
    node_id object = atom();
    for (skip_blanks(); object != no_node; skip_blanks()) {
        if (take('.')) {
            skip_blanks();
            const std::string name(word());
            if (name.empty() || is_keyword(name) || is_misleading(name)) {
                return fail("an attribute's name is missing");
            }
            at_ += name.size();
            object = add(node_kind::attribute, begin, {object}, name);
        } else if (take('[')) {
            ++brackets_;
            const node_id key = items_until("]", true);
            if (key == no_node || !take(']')) {
                return fail("`]` is missing");
            }
            --brackets_;
            object = add(node_kind::subscript, begin, {object, key});
        } else if (take('(')) {
            object = call(object, begin);
        } else {
            return object;
        }
    }
    return no_node;
}

node_id expression_parser::argument(bool& keywords) {
    skip_blanks();
    const std::size_t begin = at_;
    if (peek() == '*') {
        return fail("starred arguments are not supported");
    }
    if (const std::string name(word()); !name.empty() && !is_keyword(name)) {
        at_ += name.size();
        skip_blanks();
        if (peek() == '=' && peek(1) != '=') {
            ++at_;
            keywords = true;
            const node_id value = conditional();
            return value == no_node ? no_node : add(node_kind::keyword, begin, {value}, name);
        }
        at_ = begin;
    }
    return keywords ? fail("a positional argument after keyword arguments") : conditional();
}

node_id expression_parser::call(node_id callee, std::size_t begin) {
    ++brackets_;
    std::vector<node_id> parts = {callee};
    bool keywords = false;
    for (skip_blanks(); !take(')'); skip_blanks()) {
        const std::size_t first = at_;
        if (kept(parts, argument(keywords)) == no_node) {
            return no_node;
        }
        skip_blanks();
        if (parts.size() == 2 && !keywords && (word() == "for" || word() == "async")) {  // a generator expression as the only argument
            std::vector<node_id> inner = {parts.back()};
            parts.back() = clauses(inner) ? add(node_kind::generator, first, std::move(inner)) : no_node;
            if (parts.back() == no_node || !take(')')) {
                return fail("`)` is missing after the only argument");
            }
            break;
        }
        if (!take(',') && peek() != ')') {
            return fail("`)` or `,` is missing");
        }
    }
    --brackets_;
    return add(node_kind::call, begin, std::move(parts));
}

node_id expression_parser::atom() {
    const std::size_t begin = at_;
    const char c = peek();
    if (sees_string()) {
        return strings();
    }
    if (pyaichat::detail::is_digit(c) || (c == '.' && pyaichat::detail::is_digit(peek(1)))) {
        return number();
    }
    if (sees("...")) {
        at_ += 3;
        return add(node_kind::ellipsis, begin);
    }
    if (c == '(') {
        return parenthesized();
    }
    if (c == '[') {
        return list_display();
    }
    if (c == '{') {
        return brace_display();
    }
    const std::string name(word());
    if (name.empty()) {
        return fail(at_end()   ? "the expression ends too early"
                    : c == '*' ? "starred expressions are not supported"
                               : "not a supported expression");
    }
    if (name == "None" || name == "True" || name == "False") {
        at_ += name.size();
        return add(name == "None" ? node_kind::none : name == "True" ? node_kind::true_ : node_kind::false_, begin);
    }
    if (is_keyword(name)) {
        return fail("`" + name + "` is not supported here");
    }
    if (is_misleading(name)) {
        return fail("a name has invisible characters");
    }
    at_ += name.size();
    return add(node_kind::name, begin, {}, name);
}

node_id expression_parser::parenthesized() {
    const std::size_t begin = at_++;
    ++brackets_;
    skip_blanks();
    if (take(')')) {
        --brackets_;
        return add(node_kind::tuple, begin);
    }
    std::vector<node_id> parts;
    bool comma = false;
    do {
        if (kept(parts, conditional()) == no_node) {
            return no_node;
        }
        skip_blanks();
        if (parts.size() == 1 && !comma && (word() == "for" || word() == "async")) {
            if (!clauses(parts)) {
                return no_node;
            }
            if (!take(')')) {
                return fail("`)` is missing");
            }
            --brackets_;
            return add(node_kind::generator, begin, std::move(parts));
        }
        comma = take(',');
        skip_blanks();
    } while (comma && peek() != ')');
    const bool is_tuple = comma || parts.size() > 1;
    if (!take(')')) {
        return fail(sees(":=") ? "assignment expressions are not supported" : "`)` is missing");
    }
    --brackets_;
    return is_tuple ? add(node_kind::tuple, begin, std::move(parts)) : parts.front();
}

node_id expression_parser::list_display() {
    const std::size_t begin = at_++;
    ++brackets_;
    std::vector<node_id> items;
    bool comma = true;
    for (skip_blanks(); !take(']'); skip_blanks()) {
        if (!comma) {
            return fail("`]` or `,` is missing");
        }
        if (kept(items, conditional()) == no_node) {
            return no_node;
        }
        skip_blanks();
        if (items.size() == 1 && (word() == "for" || word() == "async")) {
            if (!clauses(items)) {
                return no_node;
            }
            if (!take(']')) {
                return fail("`]` is missing");
            }
            --brackets_;
            return add(node_kind::list_comprehension, begin, std::move(items));
        }
        comma = take(',');
    }
    --brackets_;
    return add(node_kind::list, begin, std::move(items));
}

node_id expression_parser::brace_display() {
    const std::size_t begin = at_++;
    ++brackets_;
    std::vector<node_id> items;
    std::optional<bool> is_dict;
    bool comma = true;
    for (skip_blanks(); !take('}'); skip_blanks()) {
        if (!comma) {
            return fail("`}` or `,` is missing");
        }
        if (kept(items, conditional()) == no_node) {
            return no_node;
        }
        skip_blanks();
        const bool colon = take(':');
        if (colon != is_dict.value_or(colon)) {
            return fail("a set and a dict are mixed");
        }
        is_dict = colon;
        if (colon && kept(items, conditional()) == no_node) {
            return no_node;
        }
        skip_blanks();
        if (items.size() == (colon ? 2U : 1U) && (word() == "for" || word() == "async")) {
            if (!clauses(items)) {
                return no_node;
            }
            if (!take('}')) {
                return fail("`}` is missing");
            }
            --brackets_;
            return add(colon ? node_kind::dict_comprehension : node_kind::set_comprehension, begin, std::move(items));
        }
        comma = take(',');
    }
    --brackets_;
    return add(is_dict.value_or(true) ? node_kind::dict : node_kind::set, begin, std::move(items));
}

/// Parses `for ... in ... if ...`, once or more.
bool expression_parser::clauses(std::vector<node_id>& into) {
    for (skip_blanks(); word() == "for" || word() == "async"; skip_blanks()) {
        const std::size_t begin = at_;
        if (!take_word("for")) {
            fail("asynchronous comprehensions are not supported");
            return false;
        }
        std::vector<node_id> parts;
        if (kept(parts, target_list()) == no_node) {
            return false;
        }
        skip_blanks();
        if (!take_word("in")) {
            fail("`in` is missing");
            return false;
        }
        if (kept(parts, disjunction()) == no_node) {
            return false;
        }
        for (skip_blanks(); take_word("if"); skip_blanks()) {
            if (kept(parts, disjunction()) == no_node) {
                return false;
            }
        }
        if (kept(into, add(node_kind::clause, begin, std::move(parts))) == no_node) {
            return false;
        }
    }
    return true;
}

node_id expression_parser::target_list() {
    skip_blanks();
    const std::size_t begin = at_;
    std::vector<node_id> names;
    bool comma = false;
    do {
        if (kept(names, target()) == no_node) {
            return no_node;
        }
        skip_blanks();
        comma = take(',');
        skip_blanks();
    } while (comma && word() != "in" && peek() != ')');
    return names.size() == 1 && !comma ? names.front() : add(node_kind::tuple, begin, std::move(names));
}

node_id expression_parser::target() {
    const nesting nested(*this);
    if (!nested.fits()) {
        return too_deep();
    }
    skip_blanks();
    const std::size_t begin = at_;
    if (take('(')) {
        const node_id inner = target_list();
        return inner != no_node && take(')') ? inner : fail("the target of `for` is not closed");
    }
    const std::string name(word());
    if (name.empty() || is_keyword(name) || is_misleading(name)) {
        return fail("the target of `for` is not a name");
    }
    at_ += name.size();
    return add(node_kind::name, begin, {}, name);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
