#include "python/cursor_context.hpp"

#include "python/python_words.hpp"

#include <algorithm>
#include <optional>

namespace repl {

namespace {

constexpr std::size_t nowhere = std::string_view::npos;

/// Reads the tokens before the cursor.
class cursor_reader {
public:
    explicit cursor_reader(std::string_view before) : before_(before), lexed_(lex_python(before)) {}

    [[nodiscard]] cursor_context context() const;
    [[nodiscard]] std::string callee() const;
    [[nodiscard]] std::string primary_at_end() const {
        const std::size_t count = lexed_.tokens.size();
        return count > 0 && lexed_.tokens.back().end == before_.size() ? primary(count - 1) : std::string();
    }

private:
    const std::vector<python_token>& tokens() const { return lexed_.tokens; }
    /// The text of a token; empty if there is no such token.
    std::string_view text(std::size_t i) const {
        return i < tokens().size() ? before_.substr(tokens()[i].begin, tokens()[i].end - tokens()[i].begin) : std::string_view();
    }
    bool is(std::size_t i, token_kind kind) const { return i < tokens().size() && tokens()[i].kind == kind; }

    std::size_t opening(std::size_t closing) const;
    std::string primary(std::size_t last) const;
    std::size_t primary_begin(std::size_t last) const;
    std::size_t statement_begin() const;
    std::optional<std::size_t> open_string() const;
    cursor_context in_string(std::size_t token) const;
    bool in_import(cursor_context& into, std::size_t end) const;
    std::string dotted(std::size_t begin, std::size_t end) const;
    std::size_t bracket_token(const open_level& level) const;
    std::string callee_of(const open_level& level) const;
    void add_call(cursor_context& into, std::size_t end) const;

    std::string_view before_;
    python_tokens lexed_;
};

/// The bracket that a closing one belongs to.
std::size_t cursor_reader::opening(std::size_t closing) const {
    for (std::size_t i = closing; i-- > 0;) {
        if (tokens()[i].depth == tokens()[closing].depth) {
            const std::string_view bracket = text(i);
            return bracket == "(" || bracket == "[" || bracket == "{" ? i : nowhere;
        }
    }
    return nowhere;
}

/// The first token of the name, literal, call or item that ends with a token.
std::size_t cursor_reader::primary_begin(std::size_t last) const {
    for (std::size_t at = last; at < tokens().size();) {
        const std::string_view word = text(at);
        const bool closes = is(at, token_kind::op) && (word == ")" || word == "]" || word == "}");
        const std::size_t begin = closes ? opening(at) : at;
        if (begin == nowhere || (!closes && !is(at, token_kind::name) && !is(at, token_kind::string) && !is(at, token_kind::number))) {
            return nowhere;
        }
        if (is(at, token_kind::name) && is_keyword(word) && word != "None" && word != "True" && word != "False") {
            return nowhere;
        }
        if (begin == 0 || tokens()[begin - 1].depth != tokens()[begin].depth) {
            return begin;
        }
        const std::string_view previous = text(begin - 1);
        const bool trailer = closes && word != "}" &&
                             (is(begin - 1, token_kind::string) || previous == ")" || previous == "]" || previous == "}" ||
                              (is(begin - 1, token_kind::name) && !is_keyword(previous)));
        if (trailer) {
            at = begin - 1;
        } else if (is(begin, token_kind::name) && previous == "." && begin >= 2) {
            at = begin - 2;
        } else {
            return begin;
        }
    }
    return nowhere;
}

std::string cursor_reader::primary(std::size_t last) const {
    if (is(last, token_kind::string) && last > 0 && text(last - 1) == "}" && tokens()[last - 1].depth > tokens()[last].depth) {
        return "''";  // the end of an f-string
    }
    const std::size_t begin = primary_begin(last);
    return begin == nowhere ? std::string()
                            : std::string(before_.substr(tokens()[begin].begin, tokens()[last].end - tokens()[begin].begin));
}

/// The first token of the statement that the cursor is in.
std::size_t cursor_reader::statement_begin() const {
    for (std::size_t i = tokens().size(); i-- > 0;) {
        const bool separates = tokens()[i].depth == 0 && (text(i) == ";" || text(i) == ":");
        if (is(i, token_kind::newline) || separates) {
            return i + 1;
        }
    }
    return 0;
}

/// The token of the string on one line that the cursor is in.
std::optional<std::size_t> cursor_reader::open_string() const {
    if (tokens().empty() || tokens().back().end != before_.size()) {
        return std::nullopt;
    }
    const std::size_t last = tokens().size() - 1;
    const std::size_t quote = text(last).find_first_of("'\"");
    const bool unclosed = is(last, token_kind::error) && quote != nowhere && quote <= 2;
    return unclosed || lexed_.in_string ? std::optional(last) : std::nullopt;
}

cursor_context cursor_reader::in_string(std::size_t token) const {
    cursor_context found;
    const std::string_view literal = text(token);
    const std::size_t quote = literal.find_first_of("'\"");
    const std::string_view prefix = literal.substr(0, quote);
    const bool formatted = prefix.find_first_of("fF") != nowhere;
    if (!is(token, token_kind::error) || quote == nowhere || quote > 2 || formatted || literal.substr(quote).starts_with("'''") ||
        literal.substr(quote).starts_with("\"\"\"")) {
        return found;
    }
    const std::string object = token >= 2 && text(token - 1) == "[" ? primary(token - 2) : std::string();
    if (!object.empty()) {
        return {.what = cursor_context::kind::key, .begin = tokens()[token].begin, .word = std::string(literal), .object = object};
    }
    if (prefix.find_first_of("bB") == nowhere) {
        found.what = cursor_context::kind::text;
        found.begin = tokens()[token].begin + quote + 1;
        found.word = literal.substr(quote + 1);
        found.is_raw = !prefix.empty() && prefix.find_first_of("rR") != nowhere;
    }
    return found;
}

/// The tokens as a dotted name: `a.b.`.
std::string cursor_reader::dotted(std::size_t begin, std::size_t end) const {
    std::string out;
    for (std::size_t i = begin; i < end; ++i) {
        out += text(i);
    }
    return out;
}

/// Reads `import a.b` and `from a import b`, where the word begins at the token `end`. Returns false for other statements.
bool cursor_reader::in_import(cursor_context& into, std::size_t end) const {
    const std::size_t begin = statement_begin();
    const std::string_view head = begin < end ? text(begin) : std::string_view();
    if (head != "import" && head != "from") {
        return false;
    }
    into.what = cursor_context::kind::nothing;
    std::size_t import = begin;
    while (head == "from" && import < end && text(import) != "import") {
        ++import;
    }
    const std::string_view previous = text(end - 1);
    if (head == "from" && import < end) {  // of the names, only the last one matters
        if (previous == "import" || previous == "," || previous == "(") {
            into.object = dotted(begin + 1, import);
            into.what = into.object.starts_with('.') ? cursor_context::kind::nothing : cursor_context::kind::module_member;
        }
        return true;
    }
    std::size_t name = end;
    while (name > begin + 1 && text(name - 1) != ",") {
        --name;
    }
    std::string package = dotted(name, end);
    const bool valid = package.empty() || (package.ends_with('.') && !package.starts_with('.'));
    if (valid) {
        into.what = cursor_context::kind::module;
        into.object = package.substr(0, package.empty() ? 0 : package.size() - 1);
    } else if (head == "from" && end == name + 1 && is(end - 1, token_kind::name)) {
        into.what = cursor_context::kind::name;  // `from a imp`
    }
    return true;
}

std::size_t cursor_reader::bracket_token(const open_level& level) const {
    const auto found = std::lower_bound(tokens().begin(), tokens().end(), level.at,
                                        [](const python_token& each, std::size_t at) { return each.begin < at; });
    return static_cast<std::size_t>(found - tokens().begin());
}

/// The function that a bracket calls; empty if the bracket is not of a call.
std::string cursor_reader::callee_of(const open_level& level) const {
    const std::size_t bracket = bracket_token(level);
    if (level.what != open_level::kind::bracket || level.mark != '(' || bracket == 0 || bracket >= tokens().size()) {
        return {};
    }
    const std::string_view before_name = bracket >= 2 ? text(bracket - 2) : std::string_view();
    const bool literal = is(bracket - 1, token_kind::string) || is(bracket - 1, token_kind::number);
    return before_name == "def" || before_name == "class" || literal ? std::string() : primary(bracket - 1);
}

/// Notes the call whose next argument begins at the token `end`.
void cursor_reader::add_call(cursor_context& into, std::size_t end) const {
    if (lexed_.open.empty() || end == 0 || (text(end - 1) != "(" && text(end - 1) != ",")) {
        return;
    }
    const open_level& level = lexed_.open.back();
    into.callee = callee_of(level);
    for (std::size_t i = bracket_token(level) + 1; !into.callee.empty() && i + 1 < tokens().size(); ++i) {
        if (tokens()[i].depth == lexed_.open.size() && is(i, token_kind::name) && text(i + 1) == "=") {
            into.given.emplace_back(text(i));
        }
    }
}

cursor_context cursor_reader::context() const {
    if (const std::optional<std::size_t> string = open_string()) {
        return in_string(*string);
    }
    const bool at_token = !tokens().empty() && tokens().back().end == before_.size();
    cursor_context found{.begin = before_.size()};
    const token_kind last = at_token ? tokens().back().kind : token_kind::op;
    if (last == token_kind::comment || last == token_kind::number || last == token_kind::error) {
        return found;
    }
    std::size_t end = tokens().size();  // of the tokens before the word
    if (at_token && is(end - 1, token_kind::name)) {
        --end;
        found.begin = tokens()[end].begin;
        found.word = before_.substr(found.begin);
    }
    if (in_import(found, end)) {
        return found;
    }
    const std::string_view previous = end > 0 ? text(end - 1) : std::string_view();
    if (previous == ".") {
        found.object = end >= 2 ? primary(end - 2) : std::string();
        found.what = found.object.empty() ? cursor_context::kind::nothing : cursor_context::kind::attribute;
        return found;
    }
    if (previous == "[" && found.word.empty() && end >= 2) {
        found.object = primary(end - 2);
        found.what = found.object.empty() ? cursor_context::kind::nothing : cursor_context::kind::key;
        return found;
    }
    if (previous == "def" || previous == "class" || previous == "as") {
        return found;
    }
    found.what = cursor_context::kind::name;
    add_call(found, end);
    return found;
}

/// The function of the innermost call that the text leaves open.
std::string cursor_reader::callee() const {
    for (auto level = lexed_.open.rbegin(); level != lexed_.open.rend(); ++level) {
        if (std::string found = callee_of(*level); !found.empty()) {
            return found;
        }
    }
    return {};
}

}  // namespace

cursor_context context_at(std::string_view entry, std::size_t cursor) {
    return cursor_reader(entry.substr(0, cursor)).context();
}

std::string object_at(std::string_view entry, std::size_t cursor) {
    cursor = std::min(cursor, entry.size());
    if (std::string callee = cursor_reader(entry.substr(0, cursor)).callee(); !callee.empty()) {
        return callee;
    }
    std::size_t end = cursor;
    while (end < entry.size() && is_name_byte(entry[end])) {
        ++end;
    }
    return cursor_reader(entry.substr(0, end)).primary_at_end();
}

}  // namespace repl
