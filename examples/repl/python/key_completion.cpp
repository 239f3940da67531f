#include "python/key_completion.hpp"

#include <optional>
#include <string>

namespace repl {

namespace {

/// A key that Python has written, with other quotes; nothing if it is not a string (of bytes) like the one that was typed.
std::optional<std::string> quoted_like(std::string_view key, std::string_view typed) {
    const std::size_t quote_at = typed.find_first_of("'\"");
    const std::string_view prefix = typed.substr(0, quote_at);
    if (quote_at == std::string_view::npos || key.substr(0, key.find_first_of("'\"")) != prefix) {
        return std::nullopt;
    }
    const std::string_view literal = key.substr(prefix.size());
    if (literal.size() < 2 || (literal.front() != '\'' && literal.front() != '"')) {
        return std::nullopt;
    }
    const char quote = typed[quote_at];
    if (literal.front() == quote) {
        return std::string(key);
    }
    std::string out = std::string(prefix) + quote;
    for (const char c : literal.substr(1, literal.size() - 2)) {
        out += c == quote ? "\\" : "";
        out += c;
    }
    return out + quote;
}

}  // namespace

completion_list complete_key(name_listing keys, const cursor_context& context, std::string_view entry, std::size_t cursor) {
    completion_list found{.begin = context.begin, .end = cursor, .cut = keys.cut};
    const std::string_view typed = context.word;
    if (!typed.empty() && cursor < entry.size() && entry[cursor] == typed[typed.find_first_of("'\"")]) {
        ++found.end;  // the closing quote, which may have been typed with the opening one
    }
    const bool closed = found.end < entry.size() && entry[found.end] == ']';
    for (completion& each : keys.items) {
        const std::optional<std::string> literal = typed.empty() ? each.text : quoted_like(each.text, typed);
        if (literal && literal->starts_with(typed)) {
            found.items.push_back({.text = *literal + (closed ? "" : "]"), .detail = std::move(each.detail)});
        }
    }
    return found;
}

}  // namespace repl
