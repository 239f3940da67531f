#include "lua/manifest/error_hints.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <span>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

/// Applies if the message contains `in_message` and the source line contains `in_line`.
struct rule {
    std::string_view in_message;
    std::string_view in_line;
    std::string_view change;
};

constexpr std::string_view comment = "A comment begins with `--`, one over several lines is `--[[ ... ]]`.";
constexpr std::string_view perhaps_comment = "If `//` is meant to begin a comment, write `--`.";
constexpr std::string_view no_quotes = "Write the name of a field without quotes, `name = value`, or as `[\"name\"] = value`.";
constexpr std::string_view straight = "Write straight quotes, \" or ', instead of curly quotes.";
constexpr std::string_view needless = "Remove it, or look above it for what it should close.";
constexpr std::string_view compare = "Write `==` to compare.";

// The first rule that applies is used, so specific rules come first. A rule must be right whenever it applies.
constexpr auto syntax_rules = std::to_array<rule>({
    {"no visible label", "", "Write the label, `::name::`, in the block of this `goto` or in one around it."},
    {"jumps into the scope", "", "Declare the local variable before the `goto`, or put it and its uses into `do ... end`."},
    {"break outside", "", "Put the `break` into a loop, or use `return`."},
    {"to const variable", "", "Remove `<const>` from the declaration of the variable, or use another variable."},
    {"already defined", "", "Rename one of the two labels."},
    {"unknown attribute", "", "Write `<const>` or no attribute."},
    {"too many local variables", "", "Keep them in a table, or split the function."},
    {"too many upvalues", "", "Keep them in a table, or split the function."},
    {"too many registers", "", "Split the expression or the list."},
    {"stack overflow", "", "Nest the expressions and tables less deeply."},
    {"unfinished string", "", "Close the quote in this line; write a string of several lines as [[ ... ]]."},
    {"unfinished long", "", "Close it with `]]`, with as many `=` between the brackets as in the opening bracket."},
    {"invalid escape", "", "Write a backslash in a string as `\\\\`."},
    {"near '//'", "", comment},
    {"near '/'", "/*", comment},
    {"near '/'", "*/", comment},
    {"near '#'", "", "A comment begins with `--`; `#` gives a length."},
    {"near '!'", "!=", "Write `~=` for \"not equal\"."},
    {"near '!'", "", "Write `not` instead of `!`."},
    {"near '&'", "&&", "Write `and` instead of `&&`."},
    {"near '|'", "||", "Write `or` instead of `||`."},
    {"near '='", "===", compare},
    {"'then' expected near '='", "", compare},
    {"'do' expected near '='", "", compare},
    {"syntax error near '+'", "+=", "Write it in full, `x = x + 1`: there is no `+=`."},
    {"syntax error near '+'", "++", "Write it in full, `x = x + 1`: there is no `++`."},
    {"syntax error near '-'", "-=", "Write it in full, `x = x - 1`: there is no `-=`."},
    {"syntax error near '*'", "*=", "Write it in full, `x = x * 2`: there is no `*=`."},
    {"syntax error near '/'", "/=", "Write it in full, `x = x / 2`: there is no `/=`."},
    {"syntax error near '..'", "..=", "Write it in full, `x = x .. \"more\"`: there is no `..=`."},
    {"near '<\\194>'", "\xC2\xA0", "Replace the no-break spaces in this line with normal spaces."},
    {"near '<\\226>'", "\xE2\x80\x98", straight},
    {"near '<\\226>'", "\xE2\x80\x99", straight},
    {"near '<\\226>'", "\xE2\x80\x9C", straight},
    {"near '<\\226>'", "\xE2\x80\x9D", straight},
    {"'}' expected near ':'", "", "Write `name = value`, not `name: value`."},
    {"'}' expected near '='", "\" =", no_quotes},
    {"'}' expected near '='", "\"=", no_quotes},
    {"'}' expected near '='", "' =", no_quotes},
    {"'}' expected near '='", "'=", no_quotes},
    {"'}' expected near 'end'", "", needless},
    {"<eof> expected near 'end'", "", needless},
    {"<eof> expected near '}'", "", needless},
    {"<eof> expected near ')'", "", needless},
    {"syntax error near <eof>", "//", perhaps_comment},
    {"syntax error near <eof>", "", "Write a call or an assignment: a value alone is not a statement."},
    {"unexpected symbol near <eof>", "", "The file ends too early: a value is missing, or something is not closed."},
    {"near <eof>", "", "Something is not closed: look for a missing `end`, `}`, `)` or quote."},
});

constexpr auto run_time_rules = std::to_array<rule>({
    {"(global 'print')", "", "There is no `print`: use `ctx.log(text)`."},
    {"(global 'io')", "", "There is no `io`: a plugin has no files."},
    {"(global 'os')", "", "There is no `os`: a plugin has no clock, no files and no programs."},
    {"(global 'require')", "", "There is no `require`: a plugin is one file, so put everything into it."},
    {"(global 'dofile')", "", "There is no `dofile`: a plugin is one file, so put everything into it."},
    {"(global 'load')", "", "There is no `load`: write the code into the file."},
    {"(global 'null')", "", "Write `nil`, or `pyaichat.null` for the null of JSON."},
    {"(global 'ctx')", "", "`ctx` is an argument: write `run = function(args, ctx)`; in a hook it is the last argument."},
});

bool has(std::string_view text, std::string_view part) noexcept {
    return text.find(part) != std::string_view::npos;
}

/// The change of the first rule that applies, else empty.
std::string_view change_by(std::span<const rule> rules, std::string_view message, std::string_view line) {
    const auto found = std::find_if(rules.begin(), rules.end(),
                                    [&](const rule& each) { return has(message, each.in_message) && has(line, each.in_line); });
    return found != rules.end() ? found->change : std::string_view();
}

/// Removes the parenthesis from `'}' expected (to close '{' at line 1) near 'x'`, which Lua adds if the lines differ.
std::string without_place(std::string what) {
    const std::size_t begin = what.find(" (to close ");
    const std::size_t end = begin != std::string::npos ? what.find(") near ", begin) : begin;
    return end != std::string::npos ? what.erase(begin, end + 1 - begin) : what;
}

std::string_view line_of(std::string_view source, int line) {
    for (int at = 1; at < line && !source.empty(); ++at) {
        source.remove_prefix(std::min(source.find('\n'), source.size() - 1) + 1);
    }
    return source.substr(0, source.find('\n'));
}

/// Whether `continue` is a statement of this line or the line before. Lua reads it as a name and rejects the next token.
bool says_continue(std::string_view source, int line) {
    constexpr std::string_view word = "continue";
    for (const std::string_view text : {line_of(source, line), line_of(source, line - 1)}) {
        const std::size_t at = text.find(word);
        if (at == std::string_view::npos) {
            continue;
        }
        const std::string_view rest = pyaichat::detail::trimmed(text.substr(at + word.size()));
        const bool begins = at == 0 || text[at - 1] == ' ' || text[at - 1] == '\t' || text[at - 1] == ';';
        if (begins && (rest.empty() || rest.starts_with("end") || rest.starts_with(';') || rest.starts_with("--"))) {
            return true;
        }
    }
    return false;
}

/// The change for an error for which the table has no rule.
std::string other_change(std::string_view what, std::string_view source, int line) {
    const std::string_view written = line_of(source, line);
    const std::size_t near = what.find(" near ");
    const std::string_view token = near != std::string_view::npos ? what.substr(near + 6) : "";  // in quotes
    if (has(what, "syntax error near") && says_continue(source, line)) {
        return "There is no `continue`: write `goto continue`, and `::continue::` before the `end` of the loop.";
    }
    for (const std::string_view word : {"let ", "var ", "const "}) {
        if (has(what, "syntax error near") && pyaichat::detail::trimmed(written).starts_with(word)) {
            return "Write `local` instead of `" + std::string(pyaichat::detail::trimmed(word)) + "`.";
        }
    }
    if (token.size() < 3) {
        return "Fix the Lua code in this line.";
    }
    if (has(written, "//")) {
        return std::string(perhaps_comment) + " Otherwise fix the Lua code in this line, at " + std::string(token) + ".";
    }
    const std::string name(token.substr(1, token.size() - 2));
    if (has(what, "<name> expected") && has(written, ": " + name)) {
        return "Write `name = value`, not `name: value`.";
    }
    if (has(what, "'}' expected") && (name == "{" || has(written, name + " =") || has(written, name + "="))) {
        return "Put a comma between the fields: before " + std::string(token) + ", at the end of the field above it.";
    }
    if (name.starts_with("<\\") && name.size() == 6) {
        return "Write plain ASCII outside strings and comments.";
    }
    return "Fix the Lua code in this line, at " + std::string(token) + ".";
}

}  // namespace

syntax_error explain(std::string what, std::string_view source) {
    int line = take_line(what);
    if (const std::size_t at = what.rfind(" at line "); at != std::string::npos && !has(what, " near ")) {
        const char* const end = std::from_chars(what.data() + at + 9, what.data() + what.size(), line).ptr;
        what.erase(at, static_cast<std::size_t>(end - what.data()) - at);
    }
    const std::string message = without_place(what);
    std::string change(change_by(syntax_rules, message, line_of(source, line)));
    if (change.empty()) {
        change = other_change(message, source, line);
    }
    return {.line = line, .what = std::move(what), .change = std::move(change)};
}

int take_line(std::string& text) {
    for (std::size_t colon = text.find(':'); colon < 80; colon = text.find(':', colon + 1)) {
        int line = 0;
        const char* const end = text.data() + text.size();
        const auto [stopped, error] = std::from_chars(text.data() + colon + 1, end, line);
        if (error == std::errc() && end - stopped >= 2 && stopped[0] == ':' && stopped[1] == ' ') {
            text.erase(0, static_cast<std::size_t>(stopped + 2 - text.data()));
            return line;
        }
    }
    return 0;
}

std::string_view change_for_error(std::string_view what) {
    return change_by(run_time_rules, what, "");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
