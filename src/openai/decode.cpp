#include "openai/decode.hpp"

#include "net/service_access.hpp"
#include "openai/call_ids.hpp"
#include "openai/text_call.hpp"
#include "openai/wire.hpp"
#include "provider/response_limits.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

namespace {

/// The arguments of a call: an object, or the text that is not one, for the loop to refuse.
json decode_arguments(const json& function, bool allows_calls) {
    const json* arguments = find_member(function, "arguments");
    if (arguments == nullptr || arguments->is_null()) {
        return allows_calls ? json::object() : json("");
    }
    const auto text = as_string(*arguments);
    if (!text) {
        return *arguments;
    }
    if (detail::is_blank(*text) && allows_calls) {
        return json::object();
    }
    result<json> parsed = net::parse_arguments(*text);
    return parsed && parsed->is_object() ? *std::move(parsed) : json(*text);
}

/// Returns the texts of a content that is a list of parts.
std::string joined_texts(const json& content, std::string_view member) {
    std::string out;
    for (const json& piece : content) {
        out += string_member(piece, member).value_or("");
    }
    return out;
}

std::string thought_of(const json& wire) {
    for (const char* name : {"reasoning_content", "reasoning"}) {
        if (std::string text = string_of(wire, name); !text.empty()) {
            return text;
        }
    }
    std::string out;
    for (const json& piece : elements_of(wire, "content")) {
        for (const json& thought : elements_of(piece, "thinking")) {
            out += string_member(thought, "text").value_or("");
        }
    }
    return out;
}

std::string text_of(const json& wire) {
    const json* content = find_member(wire, "content");
    if (content == nullptr) {
        return {};
    }
    return content->is_array() ? joined_texts(*content, "text") : std::string(as_string(*content).value_or(""));
}

finish_reason finish_of(std::string_view word) {
    constexpr std::array<std::string_view, 3> ends = {"stop", "tool_calls", "function_call"};
    if (std::find(ends.begin(), ends.end(), word) != ends.end()) {
        return finish_reason::stop;
    }
    return word == "length" ? finish_reason::length : word == "content_filter" ? finish_reason::blocked : finish_reason::unknown;
}

candidate decode_choice(json& wire, const decode_style& style, std::string_view seed) {
    candidate out;
    out.finish_text = string_of(wire, "finish_reason");
    out.finish = finish_of(out.finish_text);
    json* const message = member_of_type(wire, "message", json::value_t::object);
    if (message == nullptr) {
        return out;
    }
    if (std::string refusal = string_of(*message, "refusal"); !refusal.empty()) {
        out.finish = finish_reason::blocked;
        out.finish_message = std::move(refusal);
    }
    out.content = decode_message(std::move(*message), style, seed, out.finish == finish_reason::stop);
    mark_text_call(out, style);
    return out;
}

std::int64_t count(const json& usage, const char* name) {
    return std::max<std::int64_t>(0, integer_member(usage, name).value_or(0));
}

bool within_limits(const json& choices) {
    std::size_t parts_left = detail::most_response_parts;
    std::size_t values_left = detail::most_response_values;
    return std::all_of(choices.begin(), choices.end(), [&](const json& choice) {
        const json* message = find_member(choice, "message");
        const std::size_t parts = message != nullptr ? elements_of(*message, "tool_calls").size() + 1 : 1;
        const bool fits = parts <= parts_left;
        parts_left -= fits ? parts : 0;
        return fits && detail::count_values(choice, values_left);
    });
}

}  // namespace

call_part call_maker::make(std::string id, const json& function) {
    call_part call;
    call.id = std::move(id);
    call.name = string_of(function, "name");
    call.arguments = decode_arguments(function, allows_calls_);
    for (int attempt = 0; call.id.empty() || seen_.contains(call.id); ++attempt) {
        call.id = made_up_id(seed_ + "/" + std::to_string(seen_.size()) + "/" + std::to_string(attempt) + "/" + call.name +
                             dump_json(call.arguments));
    }
    seen_.insert(call.id);
    return call;
}

void mark_text_call(candidate& one, const decode_style& style) {
    if (style.functions && one.finish != finish_reason::blocked && !one.content.has_calls() && is_text_call(one.content.text())) {
        one.finish = finish_reason::malformed;
        one.finish_message = text_call_advice;
    }
}

message decode_message(json wire, const decode_style& style, std::string_view seed, bool allows_calls) {
    message out;
    out.role = role::model;
    if (std::string thought = thought_of(wire); !thought.empty()) {
        out.parts.push_back(thought_part{std::move(thought)});
    }
    if (std::string text = text_of(wire); !text.empty()) {
        out.parts.push_back(text_part{std::move(text)});
    }
    static const json nothing = json::object();
    call_maker calls(seed, allows_calls);
    for (const json& one : elements_of(wire, "tool_calls")) {
        const json* function = find_member(one, "function");
        out.parts.push_back(calls.make(string_of(one, "id"), function != nullptr ? *function : nothing));
    }
    out.wire = wire_form{style.writer, std::move(wire)};
    return out;
}

token_usage decode_usage(const json& usage) {
    static const json nothing = json::object();
    const auto details = [&](const char* first, const char* second) -> const json& {
        const json* found = find_member(usage, first);
        found = found != nullptr ? found : find_member(usage, second);
        return found != nullptr ? *found : nothing;
    };
    const json& input = details("prompt_tokens_details", "input_tokens_details");
    const json& output = details("completion_tokens_details", "output_tokens_details");
    token_usage out;
    out.input_tokens = std::max(count(usage, "prompt_tokens"), count(usage, "input_tokens"));
    out.output_tokens = std::max(count(usage, "completion_tokens"), count(usage, "output_tokens"));
    out.cached_tokens = std::max(count(input, "cached_tokens"), count(usage, "prompt_cache_hit_tokens"));
    out.thought_tokens = count(output, "reasoning_tokens");
    return out;
}

result<model_response> decode_completion(json body, const decode_style& style) {
    constexpr std::array<const char*, 4> members = {"choices", "object", "usage", "id"};
    if (std::none_of(members.begin(), members.end(), [&](const char* name) { return find_member(body, name) != nullptr; })) {
        return net::unreadable("the body is JSON but not a chat completion");
    }
    model_response out;
    out.model = string_of(body, "model");
    if (json* const choices = member_of_type(body, "choices", json::value_t::array)) {
        if (!within_limits(*choices)) {
            return detail::too_many_parts();
        }
        std::stable_sort(choices->begin(), choices->end(), [](const json& one, const json& other) {
            return integer_member(one, "index").value_or(0) < integer_member(other, "index").value_or(0);
        });
        const std::string id = string_of(body, "id");
        for (json& choice : *choices) {
            out.candidates.push_back(decode_choice(choice, style, id + "/" + std::to_string(out.candidates.size())));
        }
    }
    if (const json* usage = find_member(body, "usage")) {
        out.usage = decode_usage(*usage);
    }
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
