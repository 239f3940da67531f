#include <pyaichat/core/text.hpp>

#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The two objects, as `inspect` describes them.
struct compared {
    const std::string& a;
    const std::string& b;
    const json& first;
    const json& second;

    [[nodiscard]] bool one_is(object_kind kind) const { return kind_of(&first) == kind || kind_of(&second) == kind; }
    [[nodiscard]] bool both_are(object_kind kind) const { return kind_of(&first) == kind && kind_of(&second) == kind; }
    [[nodiscard]] bool both_are(std::string_view type) const { return type_name(first) == type && type_name(second) == type; }
    [[nodiscard]] bool are_numbers() const { return is_number(first) && is_number(second); }

    [[nodiscard]] static std::string type_name(const json& seen) { return text_or_member(member(seen, "type"), "name"); }
    [[nodiscard]] static bool is_number(const json& seen) {
        const std::string type = type_name(seen);
        return type == "int" || type == "float";
    }
};

/// `==` of arrays and tables compares each item.
std::string equality_of(const compared& both) {
    if (both.both_are(object_kind::frame) || both.both_are(object_kind::series)) {
        return both.a + ".equals(" + both.b + ")";
    }
    if (both.one_is(object_kind::array) || both.one_is(object_kind::series)) {
        return "list(" + both.a + ") == list(" + both.b + ")";
    }
    return both.a + " == " + both.b;
}

/// "`a` is a list of 3: [1, 2, 3]"
std::string say_one(const std::string& name, const json& seen) {
    const auto size = integer_member(seen, "size");
    return ticked(name) + " is " + with_article(compared::type_name(seen)) + (size ? " of size " + std::to_string(*size) : "") + ": " +
           one_row(text_member(seen, "summary"), 160);
}

/// "in `a` only: [3]", from an expression. Nothing if it cannot be computed or finds nothing.
std::string say_found(lookups& look, const std::string& label, const std::string& expression) {
    const auto value = look.value_of(expression);
    return value && *value != "[]" && *value != "None" ? "\n" + label + ": " + *value : std::string();
}

/// What differs, for the kinds of objects that can be compared piece by piece.
std::string say_differences(const compared& both, lookups& look) {
    const std::string& a = both.a;
    const std::string& b = both.b;
    if (both.are_numbers()) {
        return say_found(look, "the difference " + ticked(a + " - " + b) + " is", a + " - " + b);
    }
    if (both.both_are(object_kind::dict)) {
        return say_found(look, "keys only in " + ticked(a), "[k for k in " + a + " if k not in " + b + "]") +
               say_found(look, "keys only in " + ticked(b), "[k for k in " + b + " if k not in " + a + "]") +
               say_found(look, "keys with different values", "[k for k in " + a + " if k in " + b + " and " + a + "[k] != " + b + "[k]]");
    }
    if (both.both_are(object_kind::frame)) {
        return say_found(look, "columns only in " + ticked(a), "[c for c in " + a + ".columns if c not in " + b + ".columns]") +
               say_found(look, "columns only in " + ticked(b), "[c for c in " + b + ".columns if c not in " + a + ".columns]") +
               say_found(look, "shapes", "(" + a + ".shape, " + b + ".shape)");
    }
    const bool sequences = both.both_are("list") || both.both_are("tuple") || both.both_are(object_kind::set);
    if (!sequences) {
        return {};
    }
    const std::string order = both.both_are(object_kind::set)
                                  ? std::string()
                                  : say_found(look, "indexes with different items",
                                              "[i for i in range(min(len(" + a + "), len(" + b + "))) if " + a + "[i] != " + b + "[i]]");
    return say_found(look, "items only in " + ticked(a), "[v for v in " + a + " if v not in " + b + "]") +
           say_found(look, "items only in " + ticked(b), "[v for v in " + b + " if v not in " + a + "]") + order;
}

std::string say_comparison(const compared& both, lookups& look) {
    const auto same = look.value_of(both.a + " is " + both.b);
    const auto equal = look.value_of(equality_of(both));
    const std::string differences = equal && *equal == "True" ? std::string() : say_differences(both, look);
    const std::string verdict = same && *same == "True" ? "They are the same object."
                                : !equal                ? "Whether they are equal cannot be computed."
                                : *equal == "True"      ? "They are equal, but not the same object."
                                : *equal == "False"     ? "They are not equal."
                                                        : ticked(equality_of(both)) + " is " + *equal + ".";
    return say_one(both.a, both.first) + "\n" + say_one(both.b, both.second) + "\n" + verdict + differences;
}

std::string say_yes_or_no(const std::string& expression, const std::string& value) {
    return (value == "True" ? "Yes: " : value == "False" ? "No: " : "") + ticked(expression) + " is " + value + ".";
}

std::string say_expression(const std::string& expression, lookups& look) {
    const auto value = look.value_of(expression);
    return value ? say_yes_or_no(expression, *value) : std::string();
}

std::string say_order(const question& asked, const compared& both, lookups& look) {
    const bool containers = integer_member(both.first, "size") && integer_member(both.second, "size");
    const std::string a = containers ? "len(" + both.a + ")" : both.a;
    const std::string b = containers ? "len(" + both.b + ")" : both.b;
    if (asked.name == "difference") {
        const auto difference = look.value_of(a + " - " + b);
        return difference ? ticked(a + " - " + b) + " is " + *difference + "." : std::string();
    }
    if (!asked.name.starts_with("which ")) {
        return say_expression(a + " " + asked.name + " " + b, look);
    }
    const bool wants_greater = asked.name == "which >";
    const std::string expression = a + (wants_greater ? " > " : " < ") + b;
    const std::string opposite = a + (wants_greater ? " < " : " > ") + b;
    const auto first_wins = look.value_of(expression);
    const auto second_wins = look.value_of(opposite);
    if (!first_wins || !second_wins) {
        return {};
    }
    const std::string& winner = *first_wins == "True" ? both.a : both.b;
    return *first_wins == *second_wins ? "Neither: " + ticked(expression) + " is " + *first_wins + ", and so is " + ticked(opposite) + "."
                                       : ticked(winner) + ": " + ticked(expression) + " is " + *first_wins + ".";
}

}  // namespace

std::string answer_comparison(const question& asked, lookups& look) {
    if (asked.form == question_form::identity_check) {
        return say_expression(asked.subject + " is " + asked.other, look);
    }
    const json* first = look.look_at("inspect", asked.subject);
    const json* second = look.look_at("inspect", asked.other);
    if (first == nullptr || second == nullptr) {
        return {};
    }
    const compared both{.a = asked.subject, .b = asked.other, .first = *first, .second = *second};
    switch (asked.form) {
        case question_form::equality:
            if (asked.name == "different") {
                const std::string equal = equality_of(both);
                const bool simple = equal == both.a + " == " + both.b;
                return say_expression(simple ? both.a + " != " + both.b : "not (" + equal + ")", look);
            }
            return say_expression(asked.name == "length" ? "len(" + both.a + ") == len(" + both.b + ")" : equality_of(both), look);
        case question_form::order: return say_order(asked, both, look);
        default: return say_comparison(both, look);
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
