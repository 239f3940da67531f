#include "offline/answers.hpp"
#include "offline/reply_reader.hpp"
#include "offline/subject.hpp"

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// "Yes: `5 in xs` is True."
std::string say(const std::string& expression, const std::string& value) {
    return (value == "True" ? "Yes: " : value == "False" ? "No: " : "") + ("`" + expression + "`") + " is " + value + ".";
}

std::string say_member(const question& asked, object_kind kind, lookups& look) {
    // An array compares each item, also those of its rows.
    const bool array = kind == object_kind::array || kind == object_kind::series;
    const auto in = [&](const std::string& item) {
        return array ? "bool((" + asked.subject + " == " + item + ").any())" : item + " in " + asked.subject;
    };
    std::string expression = in(asked.other);
    auto value = look.value_of(expression);
    if (!value && is_object_path(asked.other) && is_undefined(look.first_error(), asked.other)) {
        expression = in("'" + asked.other + "'");
        value = look.value_of(expression);
    }
    return value ? say(expression, *value) : std::string();
}

std::string say_key(const question& asked, object_kind kind, lookups& look) {
    const std::string key = is_literal(asked.other) ? asked.other : "'" + asked.other + "'";
    const std::string expression = kind == object_kind::dict    ? key + " in " + asked.subject
                                   : kind == object_kind::frame ? key + " in list(" + asked.subject + ".columns)"
                                                                : "hasattr(" + asked.subject + ", " + key + ")";
    const auto value = look.value_of(expression);
    return value ? say(expression, *value) : std::string();
}

}  // namespace

std::string answer_membership(const question& asked, lookups& look) {
    const json* seen = look.has("inspect") ? look.look_at("inspect", asked.subject) : nullptr;
    if (!look.needed().empty() || (seen == nullptr && look.first_error() != nullptr)) {
        return {};
    }
    const object_kind kind = kind_of(seen);
    return asked.form == question_form::key_check ? say_key(asked, kind, look) : say_member(asked, kind, look);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
