#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/kinds.hpp"
#include "offline/reply_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr int most_pages = 2;
constexpr int page_size = 1000;

std::string plural(string_view kind) {
    return kind == "class" ? "classes" : kind == "series" ? "series" : kind == "dict" ? "dicts" : std::string(kind) + "s";
}

std::string say_count(std::int64_t count, string_view kind) {
    const std::string noun = kind.empty() ? "variable" : std::string(kind);
    return std::to_string(count) + " " + (count == 1 ? noun : plural(noun));
}

/// One row of a listing: name, type and summary.
std::string say_row(const json& variable) {
    const std::string summary = text_member(variable, "summary");
    const std::string type = text_member(variable, "type_name");
    return "\n  " + text_member(variable, "name") + (type.empty() ? "" : " (" + type + ")") +
           (summary.empty() ? "" : ": " + one_row(summary, 100));
}

/// The variables that have been listed, and whether there are more.
struct listing {
    std::vector<json> variables = {};
    std::int64_t total = 0;
    bool cut = false;
};

/// Nothing if a page is missing.
std::optional<listing> read_pages(lookups& look) {
    listing out;
    for (int page = 0; page < most_pages; ++page) {
        json arguments{{"limit", page_size}};
        if (page > 0) {
            arguments["offset"] = out.variables.size();
        }
        const json* found = look.find("list_globals", std::move(arguments));
        if (found == nullptr) {
            return std::nullopt;
        }
        const json& globals = list_member(*found, "globals");
        out.variables.insert(out.variables.end(), globals.begin(), globals.end());
        out.total = integer_member(*found, "total").value_or(static_cast<std::int64_t>(out.variables.size()));
        out.cut = bool_member(*found, "truncated") == true;
        if (!out.cut || globals.empty()) {
            break;
        }
    }
    return out;
}

std::string say_variables(const json& found) {
    const json& globals = list_member(found, "globals");
    if (globals.empty()) {
        return "There are no variables yet.";
    }
    const std::int64_t total = integer_member(found, "total").value_or(static_cast<std::int64_t>(globals.size()));
    const std::size_t listed = std::min(globals.size(), most_listed);
    std::string out = (total == 1 ? "There is " : "There are ") + say_count(total, "") + ":";
    for (std::size_t index = 0; index < listed; ++index) {
        out += say_row(globals[index]);
    }
    const std::int64_t more = total - static_cast<std::int64_t>(listed);
    return more > 0 ? out + "\n  and " + std::to_string(more) + " more" : out;
}

/// The variables of one kind, or only their number.
std::string say_kind(const listing& found, const std::string& kind, bool only_count) {
    std::string rows;
    std::int64_t count = 0;
    std::int64_t modules = 0;
    for (const json& variable : found.variables) {
        const std::string type = text_member(variable, "type_name");
        modules += is_of_kind(type, "module") ? 1 : 0;
        if (is_of_kind(type, kind) && ++count <= static_cast<std::int64_t>(most_listed)) {
            rows += say_row(variable);
        }
    }
    const std::string among = found.cut ? " among the first " + say_count(static_cast<std::int64_t>(found.variables.size()), "") : "";
    if (count == 0) {
        return "There are no " + (kind.empty() ? std::string("variables") : plural(kind)) + (among.empty() ? " yet" : among) + ".";
    }
    if (kind.empty()) {
        count = found.total;
    }
    std::string out = (count == 1 ? "There is " : "There are ") + say_count(count, kind) + among;
    if (only_count) {
        return out + (kind.empty() && modules > 0 ? " (" + say_count(modules, "module") + " included)." : ".");
    }
    const std::int64_t more = count - static_cast<std::int64_t>(most_listed);
    return out + ":" + rows + (more > 0 ? "\n  and " + std::to_string(more) + " more" : "");
}

std::string say_existence(const std::string& name, lookups& look) {
    const json* type = look.look_at("get_type", name);
    if (type != nullptr) {
        return "Yes: " + ticked(name) + " is " + with_article(text_member(*type, "name")) + ".";
    }
    const json* error = look.first_error();
    const std::string kind = error == nullptr ? "" : text_member(member(member(*error, "error"), "details"), "exc_type");
    const bool missing = kind == "NameError" || kind == "AttributeError" || kind == "KeyError" || kind == "IndexError";
    return missing ? "No: " + text_member(member(*error, "error"), "message") + "." : std::string();
}

}  // namespace

std::string answer_listing(const question& asked, lookups& look) {
    if (asked.form == question_form::existence) {
        return say_existence(asked.subject, look);
    }
    if (asked.form == question_form::variables && asked.subject.empty()) {
        const json* found = look.find("list_globals");
        return found == nullptr ? std::string() : say_variables(*found);
    }
    const auto found = read_pages(look);
    return found ? say_kind(*found, asked.subject, asked.form == question_form::variable_count) : std::string();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
