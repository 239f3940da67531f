#include "testing/openai_emulator/openai_rules.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t longest_id = 40;

std::string place_of(std::size_t index) {
    return "messages.[" + std::to_string(index) + "]";
}

bool is_nine_characters(std::string_view id) {
    return id.size() == 9 && std::all_of(id.begin(), id.end(), [](char c) { return detail::is_letter(c) || detail::is_digit(c); });
}

/// Reads messages in their order.
class history_check {
public:
    explicit history_check(const openai_service& service) : service_(service) {}

    std::optional<service_refusal> add(const json& message, std::size_t index) {
        if (!message.is_object()) {
            return openai_invalid("Invalid type for 'messages[" + std::to_string(index) + "]': expected an object.");
        }
        const std::string role(string_member(message, "role").value_or(""));
        if (role == "tool") {
            return reply(message, index);
        }
        if (auto refusal = settled(index)) {
            return refusal;
        }
        if (service_.nine_character_ids && role == "user" && last_ == "tool") {
            return openai_invalid("Unexpected role 'user' after role 'tool'");
        }
        last_ = role;
        if (role == "assistant") {
            return assistant(message, index);
        }
        if (role != "system" && role != "developer" && role != "user") {
            return openai_invalid(
                "Invalid value: '" + role + "'. Supported values are: 'system', 'assistant', 'user', 'function', 'tool', and 'developer'.",
                place_of(index) + ".role", "invalid_value");
        }
        if (role != "user" && index > 0) {
            return openai_invalid("A system message is only accepted at the start.", place_of(index) + ".role");
        }
        return content(message, index, "role content name");
    }

    std::optional<service_refusal> end(std::size_t count) {
        if (auto refusal = settled(count)) {
            return refusal;
        }
        if (last_ == "assistant" && !service_.any_last_message) {
            return openai_invalid("Expected last role User or Tool (or Assistant with prefix True) for serving but got assistant");
        }
        return std::nullopt;
    }

private:
    std::optional<service_refusal> content(const json& message, std::size_t index, std::string_view known) {
        const std::string place = "messages[" + std::to_string(index) + "]";
        if (const std::string name = unknown_member(message, known); !name.empty()) {
            return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place, "unknown_parameter");
        }
        const json* text = find_member(message, "content");
        if (text == nullptr || (!text->is_string() && !text->is_array())) {
            return openai_invalid("Invalid type for '" + place + ".content': expected one of a string or array of objects.", place,
                                  "invalid_type");
        }
        return text->is_string() ? std::nullopt
                                 : check_openai_pieces(*text, place + ".content", string_member(message, "role") == "user", service_);
    }

    /// Refuses calls that have no reply yet.
    std::optional<service_refusal> settled(std::size_t index) {
        std::string missing;
        for (const auto& [id, replied] : due_) {
            missing += replied ? "" : (missing.empty() ? "" : ", ") + id;
        }
        due_.clear();
        if (missing.empty()) {
            return std::nullopt;
        }
        return openai_invalid(
            "An assistant message with 'tool_calls' must be followed by tool messages responding to each 'tool_call_id'. The "
            "following tool_call_ids did not have response messages: " +
                missing,
            place_of(index) + ".role");
    }

    std::optional<service_refusal> reply(const json& message, std::size_t index) {
        const std::string id(string_member(message, "tool_call_id").value_or(""));
        const auto call = due_.find(id);
        if (call == due_.end()) {
            return openai_invalid(
                "Invalid parameter: messages with role 'tool' must be a response to a preceeding message with 'tool_calls'.",
                place_of(index) + ".role");
        }
        if (call->second) {
            return openai_invalid("Invalid parameter: Duplicate value for 'tool_call_id' of '" + id + "'.",
                                  place_of(index) + ".tool_call_id");
        }
        call->second = true;
        last_ = "tool";
        if (!string_member(message, "content")) {
            return openai_invalid("Invalid type for 'messages[" + std::to_string(index) + "].content': expected a string.",
                                  place_of(index) + ".content", "invalid_type");
        }
        return content(message, index, "role content tool_call_id");
    }

    std::optional<service_refusal> assistant(const json& message, std::size_t index) {
        const std::string place = "messages[" + std::to_string(index) + "]";
        const std::string known = "role content tool_calls refusal name " + service_.demanded_member;
        if (const std::string name = unknown_member(message, known); !name.empty()) {
            return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place, "unknown_parameter");
        }
        if (!service_.demanded_member.empty() && !string_member(message, service_.demanded_member)) {
            return openai_invalid("The `" + service_.demanded_member + "` in the thinking mode must be passed back to the API.");
        }
        const json* calls = find_member(message, "tool_calls");
        const json* text = find_member(message, "content");
        if (calls == nullptr) {
            const bool has_text = text != nullptr && (text->is_string() || text->is_array());
            return has_text || string_member(message, "refusal")
                       ? std::nullopt
                       : std::optional(openai_invalid("Assistant message must contain either 'content' or 'tool_calls'!", place));
        }
        if (!calls->is_array() || calls->empty()) {
            return openai_invalid("Invalid '" + place + ".tool_calls': empty array. Expected an array with minimum length 1.", place,
                                  "empty_array");
        }
        if (!service_.demanded_call_member.empty() && find_member(calls->front(), service_.demanded_call_member) == nullptr) {
            return openai_invalid("Function call is missing a thought_signature in functionCall parts.");
        }
        for (std::size_t i = 0; i < calls->size(); ++i) {
            if (auto refusal = call((*calls)[i], place + ".tool_calls[" + std::to_string(i) + "]")) {
                return refusal;
            }
        }
        return std::nullopt;
    }

    std::optional<service_refusal> call(const json& call, const std::string& place) {
        const std::string known = "id type function " + service_.demanded_call_member;
        if (const std::string name = call.is_object() ? unknown_member(call, known) : "0"; !name.empty()) {
            return openai_invalid("Unknown parameter: '" + place + "." + name + "'.", place, "unknown_parameter");
        }
        const std::string id(string_member(call, "id").value_or(""));
        const json* function = find_member(call, "function");
        if (id.empty() || string_member(call, "type") != "function" || function == nullptr) {
            return openai_invalid("Missing required parameter: '" + place + (id.empty() ? ".id'." : ".function'."), place,
                                  "missing_required_parameter");
        }
        if (id.size() > longest_id) {
            return openai_invalid("Invalid '" + place +
                                      ".id': string too long. Expected a string with maximum length 40, but got a string with "
                                      "length " +
                                      std::to_string(id.size()) + " instead.",
                                  place + ".id", "string_above_max_length");
        }
        if (service_.nine_character_ids && (!is_nine_characters(id) || !used_.insert(id).second)) {
            return openai_invalid("Tool call id was " + id + " but must be a-z, A-Z, 0-9, with a length of 9.", place, "3280");
        }
        if (!due_.emplace(id, false).second) {
            return openai_invalid("Duplicate tool call id '" + id + "'.", place + ".id");
        }
        const auto arguments = string_member(*function, "arguments");
        const result<json> parsed = arguments ? parse_json(*arguments) : result<json>(json());
        if (!parsed || !parsed->is_object()) {
            return openai_invalid("invalid tool call arguments", place + ".function.arguments");
        }
        return std::nullopt;
    }

    const openai_service& service_;
    std::map<std::string, bool> due_ = {};  ///< the calls of the last assistant message, and whether they have a reply
    std::set<std::string> used_ = {};       ///< the ids of the whole conversation
    std::string last_ = {};                 ///< the role of the last message
};

}  // namespace

std::optional<service_refusal> check_openai_history(const json& messages, const openai_service& service) {
    if (messages.empty()) {
        return openai_invalid("Invalid 'messages': empty array. Expected an array with minimum length 1, but got an empty array instead.",
                              "messages", "empty_array");
    }
    history_check check(service);
    for (std::size_t i = 0; i < messages.size(); ++i) {
        if (auto refusal = check.add(messages[i], i)) {
            return refusal;
        }
    }
    return check.end(messages.size());
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
