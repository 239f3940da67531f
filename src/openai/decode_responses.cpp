#include "openai/decode_responses.hpp"

#include "net/service_access.hpp"
#include "openai/call_ids.hpp"
#include "openai/wire.hpp"
#include "provider/response_limits.hpp"

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

std::string texts_of(const json& item, const char* list) {
    std::string out;
    for (const json& piece : elements_of(item, list)) {
        out += string_member(piece, "text").value_or("");
    }
    return out;
}

std::string refusal_of(const json& output) {
    std::string out;
    for (const json& item : output) {
        for (const json& piece : elements_of(item, "content")) {
            out += string_member(piece, "refusal").value_or("");
        }
    }
    return out;
}

bool any_item(const json& output, const char* member, std::string_view value) {
    return std::any_of(output.begin(), output.end(), [&](const json& item) { return string_member(item, member) == value; });
}

void add_text(message& out, std::string text, bool thought) {
    if (text.empty()) {
        return;
    }
    if (thought) {
        out.parts.push_back(thought_part{std::move(text)});
    } else {
        out.parts.push_back(text_part{std::move(text)});
    }
}

}  // namespace

message decode_output(json output, const decode_style& style, std::string_view seed, bool allows_calls) {
    message out;
    out.role = role::model;
    // A comment on the way is not a part of the answer, unless there is nothing else.
    const bool has_more = any_item(output, "phase", "final_answer") || any_item(output, "type", "function_call");
    call_maker calls(seed, allows_calls);
    for (const json& item : output) {
        const std::string type = string_of(item, "type");
        if (type == "function_call") {
            out.parts.push_back(calls.make(string_of(item, "call_id"), item));
        } else if (type == "reasoning") {
            std::string summary = texts_of(item, "summary");
            add_text(out, summary.empty() ? texts_of(item, "content") : std::move(summary), true);
        } else if (type == "message") {
            add_text(out, texts_of(item, "content"), has_more && string_member(item, "phase") == "commentary");
        } else {
            out.parts.push_back(opaque_part{item});
        }
    }
    json wire = json::object();
    wire["output"] = std::move(output);
    out.wire = wire_form{style.writer, std::move(wire)};
    return out;
}

result<model_response> decode_responses(json body, const decode_style& style) {
    json* const output = member_of_type(body, "output", json::value_t::array);
    if (output == nullptr) {
        return net::unreadable("the body is JSON but not a response");
    }
    std::size_t values_left = detail::most_response_values;
    if (output->size() > detail::most_response_parts || !detail::count_values(*output, values_left)) {
        return detail::too_many_parts();
    }
    model_response out;
    out.model = string_of(body, "model");
    if (const json* usage = find_member(body, "usage")) {
        out.usage = decode_usage(*usage);
    }
    candidate one;
    one.finish_text = string_of(body, "status");
    one.finish = one.finish_text == "completed" ? finish_reason::stop : finish_reason::unknown;
    if (const json* details = find_member(body, "incomplete_details"); details != nullptr && one.finish_text == "incomplete") {
        one.finish_text = string_of(*details, "reason");
        one.finish = one.finish_text == "max_output_tokens" ? finish_reason::length
                     : one.finish_text == "content_filter"  ? finish_reason::blocked
                                                            : finish_reason::unknown;
    }
    if (std::string refusal = refusal_of(*output); !refusal.empty()) {
        one.finish = finish_reason::blocked;
        one.finish_message = std::move(refusal);
    }
    one.content = decode_output(std::move(*output), style, string_of(body, "id"), one.finish == finish_reason::stop);
    mark_text_call(one, style);
    out.candidates.push_back(std::move(one));
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
