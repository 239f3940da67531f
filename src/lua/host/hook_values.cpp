#include "lua/host/hook_values.hpp"

#include "lua/manifest/plain_text.hpp"

#include <pyaichat/message/message.hpp>

#include <string>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace {

constexpr std::size_t max_reason = 500;

/// Adds the members that this kind of event has.
template <class Data>
void add_members(json& value, const Data& data) {
    if constexpr (requires { data.step; }) {
        value["step"] = data.step;
    }
    if constexpr (requires { data.call; }) {
        value["call"] = data.call;
    }
    if constexpr (requires { data.name; }) {
        value["name"] = data.name;
    }
    if constexpr (requires { data.arguments; }) {
        value["args"] = data.arguments;
    }
    if constexpr (requires { data.reply.envelope(); }) {
        value["reply"] = data.reply.envelope();
    }
    if constexpr (requires { data.text.size(); }) {
        value["text"] = data.text;
    }
    if constexpr (requires { data.question.size(); }) {
        value["text"] = data.question;
    }
    if constexpr (requires { data.reason.size(); }) {
        value["text"] = data.reason;
    }
    if constexpr (requires { data.why.size(); }) {
        value["text"] = data.why;
    }
}

}  // namespace

json value_of(const proposed_call& call) {
    json value = json::object();
    value["number"] = call.number;
    value["name"] = call.name;
    value["args"] = call.arguments;
    value["effects"] = std::string(to_string(call.effects));
    value["from"] = std::string(to_string(call.from));
    value["origin"] = call.origin;
    return value;
}

json value_of(const capability_call& call) {
    json value = json::object();
    value["number"] = call.number;
    value["name"] = call.name;
    value["args"] = call.arguments;
    return value;
}

json value_of(const model_request& request) {
    json value = json::object();
    value["instructions"] = request.instructions;
    value["messages"] = request.messages.size();
    value["text"] = request.messages.empty() ? std::string() : request.messages.back().text();
    json& names = value["capabilities"] = json::array();
    for (const capability_spec& one : request.declarations) {
        names.push_back(one.name);
    }
    return value;
}

json value_of(const event& happened) {
    json value = json::object();
    value["kind"] = std::string(event_name(happened));
    value["number"] = happened.number;
    std::visit([&](const auto& data) { add_members(value, data); }, happened.data);
    return value;
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
