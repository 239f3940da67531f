#include "testing/gemini_emulator/gemini_rules.hpp"

#include <algorithm>
#include <iterator>
#include <set>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr const char* wrong_count =
    "Please ensure that the number of function response parts is equal to the number of function call parts of the function call turn.";
constexpr const char* misplaced_call =
    "Please ensure that function call turn comes immediately after a user turn or after a function response turn.";
constexpr const char* misplaced_response = "Please ensure that function response turn comes immediately after a function call turn.";
constexpr const char* mixed =
    "Please ensure that function call turn contains at least one function_call part which can not be mixed with function_response parts.";
constexpr const char* model_last = "Requests ending with a model turn are not supported.";

/// The properties of one content that the rules use.
struct turn {
    std::string role = {};
    bool by_model = false;
    std::vector<const json*> calls = {};
    std::vector<const json*> responses = {};
    bool has_text_or_media = false;
    bool has_parts_after_responses = false;
    const json* first_call_part = nullptr;
};

turn read_turn(const json& content) {
    turn out;
    out.role = proto_text(content, "role");
    out.by_model = out.role == "model";
    for (const json& part : proto_member(content, "parts")) {
        const json& call = proto_member(part, "functionCall");
        const json& response = proto_member(part, "functionResponse");
        if (!call.is_null()) {
            out.calls.push_back(&call);
            out.first_call_part = out.first_call_part == nullptr ? &part : out.first_call_part;
        } else if (!response.is_null()) {
            out.responses.push_back(&response);
        } else {
            out.has_text_or_media = true;
            out.has_parts_after_responses = !out.responses.empty();
        }
    }
    return out;
}

std::vector<turn> read_turns(const json& contents) {
    std::vector<turn> out;
    std::transform(contents.begin(), contents.end(), std::back_inserter(out), read_turn);
    return out;
}

/// Whether each part has an id, and no two have the same.
bool has_distinct_ids(const std::vector<const json*>& parts) {
    std::set<std::string> seen;
    return std::all_of(parts.begin(), parts.end(), [&](const json* part) {
        const std::string id = proto_text(*part, "id");
        return !id.empty() && seen.insert(id).second;
    });
}

/// Returns the reply to each call: by ids if all have one, in any order, else by position.
std::vector<const json*> replies_in_call_order(const turn& calls, const turn& replies) {
    if (!has_distinct_ids(calls.calls) || !has_distinct_ids(replies.responses)) {
        return replies.responses;
    }
    std::vector<const json*> out;
    for (const json* call : calls.calls) {
        const auto found = std::find_if(replies.responses.begin(), replies.responses.end(),
                                        [&](const json* reply) { return proto_text(*reply, "id") == proto_text(*call, "id"); });
        if (found == replies.responses.end()) {
            return replies.responses;
        }
        out.push_back(*found);
    }
    return out;
}

/// Matches replies to calls. The service's own messages for these three errors are not known.
std::optional<std::string> check_replies(const turn& calls, const turn& replies, std::size_t content, const gemini_profile& profile) {
    const std::vector<const json*> sorted = replies_in_call_order(calls, replies);
    for (std::size_t index = 0; index < calls.calls.size(); ++index) {
        const json& call = *calls.calls[index];
        const json& reply = *sorted[index];
        const std::string call_id = proto_text(call, "id");
        const std::string reply_id = proto_text(reply, "id");
        const std::string where = "contents[" + std::to_string(content) + "].parts function_response number " + std::to_string(index + 1);
        const bool echo_left_out = reply_id.empty() && !call_id.empty();
        if (echo_left_out && profile.requires_id_echo) {
            return "Please ensure that the id of each function call is echoed in its function response: " + where + " has no id.";
        }
        if (call_id.empty() && !reply_id.empty()) {
            return "Please ensure that function responses have no id when their function calls had none: " + where + " has the id \"" +
                   reply_id + "\".";
        }
        if ((call_id != reply_id && !echo_left_out) || proto_text(call, "name") != proto_text(reply, "name")) {
            return "Please ensure that each function call has a function response with the same id and name: the response to the call \"" +
                   proto_text(call, "name") + "\", " + where + ", has another.";
        }
    }
    return std::nullopt;
}

/// A part that was issued without data may return with an empty text, because the service refuses parts without data.
bool same_part(json issued, const json& returned) {
    if (data_member(issued).empty()) {
        issued["text"] = "";
    }
    return issued == returned;
}

}  // namespace

std::optional<std::string> check_gemini_history(const json& contents, const gemini_profile& profile) {
    const std::vector<turn> turns = read_turns(contents);
    for (const turn& checked : turns) {
        const bool function = profile.takes_function_role && checked.role == "function" && !checked.responses.empty();
        if (!checked.role.empty() && checked.role != "user" && checked.role != "model" && !function) {
            return "Please use a valid role: user, model.";
        }
    }
    for (std::size_t index = 0; index < turns.size(); ++index) {
        const turn& now = turns[index];
        const turn* before = index == 0 ? nullptr : &turns[index - 1];
        if (!now.calls.empty() && !now.responses.empty()) {
            return mixed;
        }
        if (!now.calls.empty() && (!now.by_model || before == nullptr || before->by_model)) {
            return misplaced_call;
        }
        if (!now.responses.empty()) {
            if (now.by_model || before == nullptr || before->calls.empty()) {
                return misplaced_response;
            }
            if (now.responses.size() != before->calls.size()) {
                return wrong_count;
            }
            if (std::optional<std::string> found = check_replies(*before, now, index, profile)) {
                return found;
            }
        } else if (before != nullptr && !before->calls.empty()) {
            return wrong_count;
        }
    }
    if (turns.front().by_model) {
        return "Please ensure that the first content has the role user.";  // not the service's message
    }
    const turn& last = turns.back();
    if ((last.by_model && !profile.takes_model_last) || (last.has_parts_after_responses && !profile.takes_parts_after_responses)) {
        return model_last;  // the service's message for both cases
    }
    return last.calls.empty() ? std::nullopt : std::optional<std::string>(wrong_count);
}

std::optional<std::string> check_gemini_signatures(const json& contents, const std::multimap<std::string, json>& issued) {
    for (const json& content : contents) {
        for (const json& part : proto_member(content, "parts")) {
            const auto [first, last] = issued.equal_range(proto_text(part, "thoughtSignature"));
            if (first != last && std::none_of(first, last, [&part = part](const auto& entry) { return same_part(entry.second, part); })) {
                return "Corrupted thought signature.";
            }
        }
    }
    const std::vector<turn> turns = read_turns(contents);
    // The current turn begins after the newest user content that has text or media and no function response.
    std::size_t start = turns.size();
    while (start > 0 && (turns[start - 1].by_model || !turns[start - 1].has_text_or_media || !turns[start - 1].responses.empty())) {
        --start;
    }
    for (std::size_t index = start; index < turns.size(); ++index) {
        const turn& step = turns[index];
        if (!step.by_model || step.first_call_part == nullptr) {
            continue;
        }
        const std::string signature = proto_text(*step.first_call_part, "thoughtSignature");
        if (signature.empty()) {
            return "Function call is missing a thought_signature in functionCall parts. This is required for tools to work correctly, and "
                   "missing "
                   "thought_signature may lead to degraded model performance. Additional data, function call `default_api:" +
                   proto_text(*step.calls.front(), "name") + "` , position " + std::to_string(index + 1) +
                   ". Please refer to https://ai.google.dev/gemini-api/docs/thought-signatures for more details.";
        }
    }
    return std::nullopt;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
