#include "offline/typed_answer.hpp"

#include "offline/python_literal.hpp"
#include "offline/reply_reader.hpp"

#include <pyaichat/schema/validate.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

/// The names in a list of texts, or of objects with a `name`.
json names_in(const json& list) {
    json names = json::array();
    for (const json& entry : list) {
        names.push_back(text_or_member(entry, "name"));
    }
    return names;
}

/// The values that the reply to one call has for a question, the best first.
std::vector<json> values_in(const question& asked, std::string_view capability, const json& reply) {
    std::vector<json> values;
    const auto add_literal = [&](const std::string& printed) {
        if (std::optional<json> value = read_python_literal(without_numpy_types(printed))) {
            values.push_back(*std::move(value));
        }
    };
    if (capability.ends_with("eval_expr")) {
        add_literal(text_member(reply, "value_repr"));
    } else if (capability.ends_with("get_repr")) {
        if (asked.form != question_form::contents && bool_member(reply, "truncated") != true) {
            add_literal(text_member(reply, "repr"));
        }
    } else if (capability.ends_with("inspect")) {
        if (const auto size = integer_member(reply, "size"); size && asked.form == question_form::contents) {
            values.emplace_back(*size);
        }
    } else if (capability.ends_with("list_globals") && bool_member(reply, "truncated") != true && asked.subject.empty()) {
        const json& globals = list_member(reply, "globals");
        values.push_back(asked.form == question_form::variable_count ? json(globals.size()) : names_in(globals));
    } else if (capability.ends_with("get_type") && asked.form == question_form::existence) {
        values.emplace_back(true);
    } else if (capability.ends_with("get_type") && asked.form == question_form::type) {
        values.emplace_back(text_member(reply, "name"));
    } else if (capability.ends_with("get_dir") && bool_member(reply, "truncated") != true) {
        values.push_back(names_in(list_member(reply, "members")));
    }
    return values;
}

}  // namespace

bool wants_value(const model_request& request) {
    return request.answer_schema != nullptr || !request.answer_function.empty();
}

std::optional<message> give_value(const model_request& request, const question& asked, const std::vector<past_call>& past,
                                  const std::string& text) {
    std::vector<json> values;
    for (auto call = past.rbegin(); call != past.rend(); ++call) {
        if (const json* reply = find_member(call->envelope, "result")) {
            std::vector<json> found = values_in(asked, call->name, *reply);
            std::move(found.begin(), found.end(), std::back_inserter(values));
        }
    }
    values.emplace_back(text);
    if (request.answer_schema != nullptr) {
        const result<compiled_schema> schema = compile_schema(*request.answer_schema);
        const auto fits =
            std::find_if(values.begin(), values.end(), [&](const json& value) { return schema && validate(*schema, value).empty(); });
        return fits != values.end() ? std::optional(model_message(dump_json(*fits))) : std::nullopt;
    }
    for (json& value : values) {
        json arguments = json::object();
        arguments["answer"] = value;
        for (json* given : {&arguments, &value}) {
            if (given->is_object() && request.declarations.validate(request.answer_function, *given).empty()) {
                message content{.role = role::model};
                content.parts.emplace_back(call_part{.id = "answer", .name = request.answer_function, .arguments = std::move(*given)});
                return content;
            }
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
