#include "lua/host/hook_values.hpp"

#include "lua/manifest/plain_text.hpp"

#include <pyaichat/message/message.hpp>

#include <string>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_reason = 500;

/// The members of an event that its kind has.
template <class Data>
void add_members(json& made, const Data& data) {
    if constexpr (requires { data.step; }) {
        made["step"] = data.step;
    }
    if constexpr (requires { data.call; }) {
        made["call"] = data.call;
    }
    if constexpr (requires { data.name; }) {
        made["name"] = data.name;
    }
    if constexpr (requires { data.arguments; }) {
        made["args"] = data.arguments;
    }
    if constexpr (requires { data.reply.envelope(); }) {
        made["reply"] = data.reply.envelope();
    }
    if constexpr (requires { data.text.size(); }) {
        made["text"] = data.text;
    }
    if constexpr (requires { data.question.size(); }) {
        made["text"] = data.question;
    }
    if constexpr (requires { data.reason.size(); }) {
        made["text"] = data.reason;
    }
    if constexpr (requires { data.why.size(); }) {
        made["text"] = data.why;
    }
}

}  // namespace

json value_of(const proposed_call& call) {
    json made = json::object();
    made["number"] = call.number;
    made["name"] = call.name;
    made["args"] = call.arguments;
    made["effects"] = std::string(to_string(call.effects));
    made["from"] = std::string(to_string(call.from));
    made["origin"] = call.origin;
    return made;
}

json value_of(const capability_call& call) {
    json made = json::object();
    made["number"] = call.number;
    made["name"] = call.name;
    made["args"] = call.arguments;
    return made;
}

json value_of(const model_request& request) {
    json made = json::object();
    made["instructions"] = request.instructions;
    made["messages"] = request.messages.size();
    made["text"] = request.messages.empty() ? std::string() : request.messages.back().text();
    json& names = made["capabilities"] = json::array();
    for (const capability_spec& one : request.declarations) {
        names.push_back(one.name);
    }
    return made;
}

json value_of(const event& happened) {
    json made = json::object();
    made["kind"] = std::string(event_name(happened));
    made["number"] = happened.number;
    std::visit([&](const auto& data) { add_members(made, data); }, happened.data);
    return made;
}

std::optional<call_decision> decision_of(const json& value) {
    if (!value.is_object() || value.size() != 1) {
        return {};
    }
    if (const auto reason = string_member(value, "deny")) {
        return call_decision::deny(plain_line(*reason, max_reason));
    }
    if (const auto why = string_member(value, "ask")) {
        return call_decision::ask(plain_line(*why, max_reason));
    }
    if (const json* const arguments = find_member(value, "args"); arguments != nullptr && arguments->is_object()) {
        return call_decision::allow_with(*arguments);
    }
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
