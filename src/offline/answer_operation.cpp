#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/operations.hpp"
#include "offline/reply_reader.hpp"
#include "offline/subject.hpp"

#include <algorithm>
#include <iterator>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

using std::string_view;

/// How many items "the first items" are.
constexpr string_view usual_count = "5";

string_view expression_for(const operation& meant, object_kind kind) {
    switch (kind) {
        case object_kind::dict: return meant.dict.empty() ? meant.plain : meant.dict;
        case object_kind::array:
        case object_kind::series: return meant.array.empty() ? meant.plain : meant.array;
        case object_kind::frame: return meant.frame.empty() ? meant.plain : meant.frame;
        default: return meant.plain;
    }
}

/// A subject that is not a name needs brackets before a dot or an operator.
std::string operand(const std::string& subject) {
    return is_object_path(subject) || is_literal(subject) ? subject : "(" + subject + ")";
}

/// The word as Python text: a name that is not defined in a question such as "how often is apple in words" is meant as a text.
std::string quoted(const std::string& word) {
    return "'" + word + "'";
}

bool is_word_byte(char c) {
    return is_letter(c) || is_digit(c) || c == '_';
}

/// The expression with its slots filled. A slot is a capital X, Y or N that is not part of a word.
std::string filled(string_view expression, const std::string& subject, const std::string& other, const std::string& count) {
    std::string out;
    for (std::size_t index = 0; index < expression.size(); ++index) {
        const bool alone = (index == 0 || !is_word_byte(expression[index - 1])) &&
                           (index + 1 == expression.size() || !is_word_byte(expression[index + 1]));
        if (alone && expression[index] == 'X') {
            out += operand(subject);
        } else if (alone && expression[index] == 'Y') {
            out += other;
        } else if (alone && expression.substr(index).starts_with("N-1")) {
            out += std::to_string(std::max(0, std::stoi(count) - 1));
            index += 2;
        } else if (alone && expression[index] == 'N') {
            out += count;
        } else {
            out += expression[index];
        }
    }
    return out;
}

std::string say(const operation& meant, const question& asked, const std::string& expression, const std::string& value) {
    if (meant.style == operation_style::yes_no) {
        return (value == "True" ? "Yes: " : value == "False" ? "No: " : "") + ticked(expression) + " is " + value + ".";
    }
    return "The " + std::string(meant.label) + " of " + ticked(asked.subject) + " is " + value + " (" + ticked(expression) + ").";
}

}  // namespace

bool is_undefined(const json* error, const std::string& name) {
    if (error == nullptr) {
        return false;
    }
    const json& details = member(member(*error, "error"), "details");
    return text_member(details, "exc_type") == "NameError" && text_member(details, "at") == name;
}

object_kind kind_of(const json* inspected) {
    if (inspected == nullptr) {
        return object_kind::plain;
    }
    const json& type = member(*inspected, "type");
    const std::string name = text_or_member(type, "name");
    const std::string module = text_member(type, "module");
    if (module.starts_with("pandas")) {
        return name == "DataFrame" ? object_kind::frame : object_kind::series;
    }
    if (name == "ndarray") {
        return object_kind::array;
    }
    if (name == "dict" || name == "OrderedDict" || name == "defaultdict" || name == "Counter") {
        return object_kind::dict;
    }
    return name == "set" || name == "frozenset" ? object_kind::set : object_kind::plain;
}

std::string member_expression(const std::string& holder, const std::string& name, object_kind kind) {
    constexpr string_view frame_attributes[] = {"index", "shape", "size", "ndim", "columns", "dtypes", "values"};
    const bool attribute = std::find(std::begin(frame_attributes), std::end(frame_attributes), name) != std::end(frame_attributes);
    if (kind == object_kind::dict || (kind == object_kind::frame && !attribute)) {
        return holder + "[" + (is_literal(name) ? name : quoted(name)) + "]";
    }
    return holder + "." + name;
}

std::string answer_operation(const question& asked, lookups& look) {
    const auto all = operations();
    const auto meant = std::find_if(all.begin(), all.end(), [&](const operation& each) { return each.name == asked.name; });
    const json* seen = look.has("inspect") ? look.look_at("inspect", asked.subject) : nullptr;
    if (meant == all.end() || !look.needed().empty() || (seen == nullptr && look.first_error() != nullptr)) {
        return {};
    }
    if (meant->plain.find('Y') == string_view::npos && !asked.other.empty()) {
        question inner = asked;  // "the average price in df"
        inner.subject = member_expression(asked.subject, asked.other, kind_of(seen));
        inner.other.clear();
        return answer_operation(inner, look);
    }
    const string_view form = expression_for(*meant, kind_of(seen));
    if (form == "-") {
        return ticked(asked.subject) + " is " + with_article(text_or_member(member(*seen, "type"), "name")) +
               ": I know no way to compute its " + std::string(meant->label.empty() ? "answer" : meant->label) + ".";
    }
    const std::string count = asked.count.empty() ? std::string(usual_count) : asked.count;
    std::string expression = filled(form, asked.subject, asked.other, count);
    auto value = look.value_of(expression);
    if (!value && is_object_path(asked.other) && is_undefined(look.first_error(), asked.other)) {
        expression = filled(form, asked.subject, quoted(asked.other), count);
        value = look.value_of(expression);
    }
    if (value) {
        return say(*meant, asked, expression, *value);
    }
    // The policy of the session may refuse the expression, but the description of the object may have the value.
    const std::string fact = seen == nullptr || meant->fact.empty() ? "" : text_or_member(member(*seen, "details"), meant->fact);
    const bool refused = look.first_error() != nullptr && text_member(member(*look.first_error(), "error"), "code") == "not_allowed";
    return refused && !fact.empty() && look.needed().empty()
               ? "The " + std::string(meant->label) + " of " + ticked(asked.subject) + " is " + fact + ", as its description says."
               : std::string();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
