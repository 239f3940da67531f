#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

constexpr string_view usual_rows = "5";

/// The name of a column as `inspect` prints it, without its quotes.
std::string column_name(const json& column) {
    const std::string name = text_member(column, "name");
    const bool quoted = name.size() > 2 && name.front() == '\'' && name.back() == '\'';
    return quoted ? name.substr(1, name.size() - 2) : name;
}

/// Whether `inspect` has described all columns of a frame.
bool has_all_columns(const json& details) {
    const json& columns = list_member(details, "columns");
    return !columns.empty() && integer_member(details, "columns_total") == static_cast<std::int64_t>(columns.size());
}

std::string say_columns(const std::string& subject, const json& details, bool with_types, lookups& look) {
    if (!has_all_columns(details)) {
        const std::string expression =
            with_types ? "print(" + subject + ".dtypes.to_string())" : "print(*" + subject + ".columns, sep='\\n')";
        const auto printed = look.output_of(expression);
        return printed ? "The columns of " + ticked(subject) + ":\n" + *printed : std::string();
    }
    std::string out;
    for (const json& column : list_member(details, "columns")) {
        out += (out.empty() ? "" : ", ") + column_name(column) + (with_types ? " (" + text_member(column, "dtype") + ")" : "");
    }
    return ticked(subject) + " has " + counted(static_cast<std::int64_t>(list_member(details, "columns").size()), "column") + ": " + out +
           ".";
}

std::string say_missing(const std::string& subject, object_kind kind, const json& seen, lookups& look) {
    const json& details = member(seen, "details");
    if (kind == object_kind::frame) {
        if (!has_all_columns(details)) {
            const auto printed = look.output_of("print(" + subject + ".isna().sum().to_string())");
            return printed ? "Missing values in the columns of " + ticked(subject) + ":\n" + *printed : std::string();
        }
        std::int64_t total = 0;
        std::string out;
        bool sampled = false;
        for (const json& column : list_member(details, "columns")) {
            const auto missing = integer_member(column, "missing");
            total += missing.value_or(0);
            sampled = sampled || !missing || column.contains("sampled");
            out += (out.empty() ? "" : ", ") + column_name(column) + " " + (missing ? std::to_string(*missing) : "not known");
        }
        return ticked(subject) + " has " + counted(total, "missing value") + (sampled ? " in what was looked at" : "") + ": " + out + ".";
    }
    if (kind == object_kind::array || kind == object_kind::series) {
        const auto missing = integer_member(details, "missing");
        if (missing && !details.contains("sampled")) {
            return ticked(subject) + " has " + counted(*missing, "missing value") + ".";
        }
        const auto value = look.value_of("sum([v is None or v != v for v in " + subject + "])");
        return value ? ticked(subject) + " has " + *value + " missing values (`None` or `nan`)." : std::string();
    }
    const std::string values = kind == object_kind::dict ? subject + ".values()" : subject;
    const std::string expression = "sum([v is None for v in " + values + "])";
    const auto value = look.value_of(expression);
    return value ? ticked(subject) + " has " + *value + " values that are None (" + ticked(expression) + ")." : std::string();
}

/// The facts of `details` that are numbers or texts: "shape, dtype, range".
std::string say_details(const json& details) {
    std::string out;
    if (details.is_object()) {
        for (const auto& [name, value] : details.items()) {
            if (!value.is_structured() || name == "shape" || name == "samples") {
                const auto text = as_string(value);
                out += "\n  " + name + ": " + one_row(text ? std::string(*text) : dump_json(value), 160);
            }
        }
    }
    for (const json& column : list_member(details, "columns")) {
        out += "\n  " + text_member(column, "name") + ":";
        for (const char* fact : {"dtype", "missing", "min", "max", "mean", "samples"}) {
            if (const json* value = find_member(column, fact)) {
                const auto text = as_string(*value);
                out += std::string(" ") + fact + " " + one_row(text ? std::string(*text) : dump_json(*value), 80) + ";";
            }
        }
        out.pop_back();
    }
    return out;
}

std::string say_description(const question& asked, object_kind kind, const json& seen, lookups& look) {
    if (kind == object_kind::plain || kind == object_kind::dict || kind == object_kind::set) {
        return answer_value({.form = question_form::value, .subject = asked.subject}, look);
    }
    const std::string type = text_or_member(member(seen, "type"), "name");
    return ticked(asked.subject) + " is " + with_article(type) + ": " + text_member(seen, "summary") + say_details(member(seen, "details"));
}

/// The rows of a frame as pandas prints them. For other objects the items at that end.
std::string say_rows(const question& asked, object_kind kind, lookups& look) {
    const bool first = asked.form == question_form::head;
    if (kind != object_kind::frame) {
        question items = asked;
        items.form = question_form::operation;
        items.name = first ? "first N" : "last N";
        return answer_operation(items, look);
    }
    const std::string count = asked.count.empty() ? std::string(usual_rows) : asked.count;
    const std::string rows = asked.subject + (first ? ".head(" : ".tail(") + count + ")";
    const auto printed = look.output_of("print(" + rows + ".to_string())");
    return printed ? "The " + std::string(first ? "first" : "last") + " rows of " + ticked(asked.subject) + " (" + ticked(rows) + "):\n" +
                         *printed
                   : std::string();
}

}  // namespace

std::string answer_table(const question& asked, lookups& look) {
    const json* seen = look.look_at("inspect", asked.subject);
    if (seen == nullptr) {
        return {};
    }
    const object_kind kind = kind_of(seen);
    const json& details = member(*seen, "details");
    switch (asked.form) {
        case question_form::columns:
        case question_form::column_types:
            if (kind != object_kind::frame) {
                return ticked(asked.subject) + " is " + with_article(text_or_member(member(*seen, "type"), "name")) +
                       " and has no columns.";
            }
            return say_columns(asked.subject, details, asked.form == question_form::column_types, look);
        case question_form::missing_values: return say_missing(asked.subject, kind, *seen, look);
        case question_form::head:
        case question_form::tail: return say_rows(asked, kind, look);
        default: return say_description(asked, kind, *seen, look);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
