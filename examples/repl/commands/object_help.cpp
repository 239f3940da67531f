#include "commands/object_help.hpp"

#include "editor/style_table.hpp"
#include "python/python_highlight.hpp"
#include "python/session_query.hpp"
#include "terminal/screen.hpp"

#include <pyaichat/core/text.hpp>

#include <chrono>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

constexpr auto longest_query = 2s;
constexpr std::size_t longest_documentation = 8000;

std::string member_of(const ai::json& object, const char* key) {
    return std::string(ai::string_member(object, key).value_or(""));
}

std::string with_style(const std::string& text, text_style style, bool styled) {
    return styled && !text.empty() ? "\033[" + std::string(style_parameters(style)) + "m" + text + "\033[0m" : text;
}

/// Source with the colours of its parts. `source` has no control characters.
std::string highlighted(const std::string& source) {
    std::string out;
    std::size_t shown = 0;
    for (const styled_span& span : highlight_python(source)) {
        out += source.substr(shown, span.begin - shown) + with_style(source.substr(span.begin, span.end - span.begin), span.style, true);
        shown = span.end;
    }
    return out + source.substr(shown);
}

/// "label: text", with the label dimmed. Nothing if the text is empty.
std::string row_about(const char* label, const std::string& text, bool styled) {
    return text.empty() ? "" : with_style(label, text_style::dimmed, styled) + " " + text + "\n";
}

std::string place_of(const ai::json& found) {
    const std::string file = member_of(found, "file");
    const auto line = ai::integer_member(found, "line");
    return file.empty() ? "" : file + (line ? ":" + std::to_string(*line) : "");
}

ai::json expression_of(const help_request& request) {
    return ai::json::object({{"expr", request.expression}});
}

std::string documentation(ai::python::session& session, const help_request& request, const ai::json& facts, bool styled) {
    const ai::json none;
    const ai::json* type = ai::find_member(facts, "type");
    const ai::json* source = ai::find_member(facts, "source");
    ai::json arguments = expression_of(request);
    arguments["max_chars"] = longest_documentation;
    const auto found = query_session(session, "get_doc", std::move(arguments), longest_query);
    const std::string text = found ? member_of(*found, "doc") : "";
    const bool cut = found && ai::bool_member(*found, "truncated").value_or(false);
    return row_about("type", printable(member_of(type != nullptr ? *type : none, "qualified")), styled) +
           row_about("signature", printable(member_of(facts, "signature")), styled) +
           row_about("value", printable(ai::detail::one_row(member_of(facts, "summary"), 200)), styled) +
           row_about("defined in", printable(place_of(source != nullptr ? *source : none)), styled) +
           (text.empty() ? with_style("no documentation", text_style::dimmed, styled) : printable(text)) + "\n" +
           (cut ? with_style("... and more", text_style::dimmed, styled) + "\n" : "");
}

std::string source_of(ai::python::session& session, const help_request& request, bool styled) {
    const auto found = query_session(session, "get_source", expression_of(request), longest_query);
    const std::string text = found ? printable(member_of(*found, "source")) : "";
    if (text.empty()) {
        const std::string why = found ? member_of(*found, "why") : "";
        return "no source" + (why.empty() ? "" : ": " + printable(why)) + "\n";
    }
    const bool cut = ai::bool_member(*found, "truncated").value_or(false);
    return row_about("defined in", printable(place_of(*found)), styled) + (styled ? highlighted(text) : text) +
           (text.ends_with('\n') ? "" : "\n") + (cut ? with_style("... and more", text_style::dimmed, styled) + "\n" : "");
}

}  // namespace

std::string object_help(ai::python::session& session, const help_request& request, bool styled) {
    const auto facts = query_session(session, "inspect", expression_of(request), longest_query);
    if (!facts) {
        return "nothing is known about " + printable(request.expression) +
               ": it is not defined, or it cannot be looked up without running code\n";
    }
    return request.source ? source_of(session, request, styled) : documentation(session, request, *facts, styled);
}

}  // namespace repl
