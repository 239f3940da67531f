#include <pyaichat/gemini/codec.hpp>

#include "gemini/errors.hpp"
#include "gemini/wire.hpp"
#include "provider/response_limits.hpp"

#include <algorithm>
#include <array>
#include <initializer_list>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

call_part decode_call(const json& call) {
    call_part out;
    out.id = string_of(call, "id");
    out.name = string_of(call, "name");
    const json* arguments = find_member(call, "args");
    // Streamed arguments were not requested (section 12.6). As a value that is not an object, they fail validation.
    if (const json* pieces = find_member(call, "partialArgs"); pieces != nullptr && !pieces->is_null()) {
        arguments = pieces;
    }
    static const json unfinished = json::array();
    if (bool_member(call, "willContinue").value_or(false)) {
        arguments = &unfinished;
    }
    if (arguments != nullptr && !arguments->is_null()) {
        out.arguments = *arguments;
    }
    return out;
}

part decode_part(const json& wire) {
    if (const json* call = find_member(wire, "functionCall"); call != nullptr && !call->is_null()) {
        return decode_call(*call);
    }
    if (const std::optional<std::string_view> text = string_member(wire, "text"); text) {
        if (bool_member(wire, "thought").value_or(false)) {
            return thought_part{std::string(*text)};
        }
        return text_part{std::string(*text)};
    }
    if (const json* response = find_member(wire, "functionResponse"); response != nullptr && response->is_object()) {
        response_part out;
        out.id = string_of(*response, "id");
        out.name = string_of(*response, "name");
        if (const json* value = find_member(*response, "response"); value != nullptr && !value->is_null()) {
            out.response = *value;
        }
        return out;
    }
    return opaque_part{wire};
}

finish_reason finish_of(std::string_view word) {
    const auto is_one_of = [word](std::initializer_list<std::string_view> words) {
        return std::find(words.begin(), words.end(), word) != words.end();
    };
    if (word == "STOP") {
        return finish_reason::stop;
    }
    if (is_one_of({"MAX_TOKENS", "CONTINUATION"})) {
        return finish_reason::length;
    }
    if (is_one_of({"SAFETY", "RECITATION", "LANGUAGE", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY",
                   "IMAGE_PROHIBITED_CONTENT", "IMAGE_RECITATION"})) {
        return finish_reason::blocked;
    }
    const bool unusable = is_one_of({"MALFORMED_FUNCTION_CALL", "UNEXPECTED_TOOL_CALL", "TOO_MANY_TOOL_CALLS", "MISSING_THOUGHT_SIGNATURE",
                                     "MALFORMED_RESPONSE", "OTHER", "IMAGE_OTHER", "NO_IMAGE"});
    return unusable ? finish_reason::malformed : finish_reason::unknown;
}

/// The members of a candidate that show the sources of its text. The host reads them as opaque parts; they are not sent back.
constexpr std::array<const char*, 3> source_members = {"groundingMetadata", "urlContextMetadata", "citationMetadata"};

candidate decode_candidate(json& wire, const std::string& writer) {
    candidate out;
    if (json* content = member_of_type(wire, "content", json::value_t::object)) {
        out.content = decode_content(std::move(*content), writer);
        out.content.role = role::model;  // whatever the service sends
    }
    for (const char* name : source_members) {
        if (json* sources = member_of_type(wire, name, json::value_t::object)) {
            json kept = json::object();
            kept[name] = std::move(*sources);
            out.content.parts.push_back(opaque_part{std::move(kept)});
        }
    }
    out.finish_text = string_of(wire, "finishReason");
    out.finish_message = string_of(wire, "finishMessage");
    out.finish = finish_of(out.finish_text);
    return out;
}

bool has_content(const model_response& response) {
    return std::any_of(response.candidates.begin(), response.candidates.end(),
                       [](const candidate& one) { return !one.content.parts.empty(); });
}

token_usage decode_usage(const json& wire) {
    const auto count = [&](const char* key) { return std::max<std::int64_t>(0, integer_of(wire, key).value_or(0)); };
    token_usage out;
    out.input_tokens = token_usage::sum(count("promptTokenCount"), count("toolUsePromptTokenCount"));
    out.thought_tokens = count("thoughtsTokenCount");
    out.output_tokens = token_usage::sum(count("candidatesTokenCount"), out.thought_tokens);
    out.cached_tokens = count("cachedContentTokenCount");
    return out;
}

bool within_limits(const json& candidates) {
    std::size_t parts_left = detail::most_response_parts;
    std::size_t values_left = detail::most_response_values;
    return std::all_of(candidates.begin(), candidates.end(), [&](const json& candidate) {
        const json* content = find_member(candidate, "content");
        const json* parts = content != nullptr ? find_member(*content, "parts") : nullptr;
        const std::size_t part_count = parts != nullptr ? parts->size() : 0;
        if (part_count > parts_left || values_left == 0) {
            return false;
        }
        parts_left -= part_count;
        --values_left;
        const auto fits = [&](const json* value) { return value == nullptr || detail::count_values(*value, values_left); };
        return fits(content) && std::all_of(source_members.begin(), source_members.end(),
                                            [&](const char* name) { return fits(find_member(candidate, name)); });
    });
}

bool looks_like_a_response(const json& body) {
    constexpr std::array<const char*, 5> members = {"candidates", "promptFeedback", "usageMetadata", "modelVersion", "responseId"};
    return body.is_object() && (body.empty() || std::any_of(members.begin(), members.end(),
                                                            [&](const char* name) { return find_member(body, name) != nullptr; }));
}

}  // namespace

std::string wire_writer(std::string_view model) {
    model.remove_prefix(model.starts_with("models/") ? 7 : 0);
    if (!model.starts_with("gemini-")) {
        return std::string(any_writer);
    }
    const std::size_t digits = std::min(model.find_first_not_of("0123456789", 7), model.size());
    return std::string(digits == 7 ? any_writer : model.substr(0, digits));
}

message decode_content(json content, std::string writer) {
    message out;
    out.role = string_of(content, "role") == "user" ? role::user : role::model;
    for (const json& wire : elements_of(content, "parts")) {
        out.parts.push_back(decode_part(wire));
    }
    out.wire = wire_form{std::move(writer), std::move(content)};
    return out;
}

result<model_response> decode_response(json body, const std::string& writer) {
    if (const json* error = find_member(body, "error"); error != nullptr && error->is_object()) {
        return decode_error_member(*error, {});
    }
    if (!looks_like_a_response(body)) {
        return unreadable("the body is JSON but not a GenerateContentResponse");
    }
    model_response out;
    if (json* candidates = member_of_type(body, "candidates", json::value_t::array)) {
        if (!within_limits(*candidates)) {
            return detail::too_many_parts();
        }
        for (json& wire : *candidates) {
            out.candidates.push_back(decode_candidate(wire, writer));
        }
    }
    if (const json* feedback = find_member(body, "promptFeedback"); feedback != nullptr && !has_content(out)) {
        out.prompt_block = string_member(*feedback, "blockReason");
    }
    if (const json* usage = find_member(body, "usageMetadata")) {
        out.usage = decode_usage(*usage);
    }
    out.model = string_of(body, "modelVersion");
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
