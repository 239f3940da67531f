#include <pyaichat/anthropic/codec.hpp>

#include "anthropic/call_ids.hpp"
#include "anthropic/errors.hpp"
#include "anthropic/wire.hpp"
#include "core/fingerprint.hpp"
#include "core/surrogates.hpp"
#include "provider/response_limits.hpp"

#include <algorithm>
#include <set>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

namespace {

part decode_block(const json& block) {
    const std::string_view type = string_member(block, "type").value_or("");
    if (type == "text") {
        return text_part{string_of(block, "text")};
    }
    if (type == "thinking") {
        if (std::string text = string_of(block, "thinking"); !text.empty()) {
            return thought_part{detail::replace_surrogates(std::move(text))};
        }
    }
    if (type == "tool_use") {
        call_part call{.id = string_of(block, "id"), .name = string_of(block, "name")};
        if (const json* input = find_member(block, "input"); input != nullptr && !input->is_null() && as_string(*input) != "") {
            call.arguments = *input;
        }
        return call;
    }
    return opaque_part{block};
}

/// Changes each text of a block: values, not names.
template <class Change>
void change_texts(json& value, Change change) {
    if (auto* text = value.get_ptr<json::string_t*>()) {
        *text = change(std::move(*text));
    } else {
        for (json& element : value) {  // the nesting is bounded by the parser
            if (element.is_structured() || element.is_string()) {
                change_texts(element, change);
            }
        }
    }
}

/// Joins the surrogate pairs that a stream has split. A half that stays alone is kept in thinking, which goes back unchanged, and becomes
/// U+FFFD elsewhere.
void join_pairs(json& block) {
    const bool kept = is_thinking(block);
    change_texts(block, [kept](std::string text) {
        text = detail::join_surrogates(std::move(text));
        return kept ? text : detail::replace_surrogates(std::move(text));
    });
}

/// Gives an id to each call that has none, or that has the id of an earlier call.
void complete_ids(json& content, std::uint64_t prefix) {
    std::set<std::string> used;
    std::uint64_t number = 0;
    for (json& block : content) {
        ++number;
        if (string_member(block, "type") != "tool_use") {
            continue;
        }
        std::string id = string_of(block, "id");
        if (id.empty() || used.contains(id)) {
            id = "toolu_" + detail::hexadecimal(detail::fingerprint_of_bits(number, prefix));
            block["id"] = id;
        }
        used.insert(std::move(id));
    }
}

finish_reason finish_of(std::string_view word) {
    if (word == "end_turn" || word == "stop_sequence" || word == "tool_use") {
        return finish_reason::stop;
    }
    if (word == "max_tokens" || word == "model_context_window_exceeded") {
        return finish_reason::length;
    }
    return word == "refusal" ? finish_reason::blocked : finish_reason::unknown;
}

std::string explanation_of(const json& body) {
    const json* details = find_member(body, "stop_details");
    if (details == nullptr) {
        return {};
    }
    const std::string category = string_of(*details, "category");
    const std::string words = string_of(*details, "explanation");
    return category + (category.empty() || words.empty() ? "" : ": ") + words;
}

token_usage usage_of(const json& wire) {
    const auto count = [](const json& object, const char* key) {
        return std::max<std::int64_t>(0, integer_member(object, key).value_or(0));
    };
    token_usage out;
    out.cached_tokens = count(wire, "cache_read_input_tokens");
    out.cache_write_tokens = count(wire, "cache_creation_input_tokens");
    out.input_tokens = token_usage::sum(count(wire, "input_tokens"), out.cache_write_tokens);
    out.input_tokens = token_usage::sum(out.input_tokens, out.cached_tokens);
    out.output_tokens = count(wire, "output_tokens");
    if (const json* details = find_member(wire, "output_tokens_details")) {
        out.thought_tokens = std::min(count(*details, "thinking_tokens"), out.output_tokens);
    }
    return out;
}

}  // namespace

message decode_content(json content, const origin& from) {
    if (const auto text = as_string(content)) {
        json block = {{"type", "text"}, {"text", std::string(*text)}};
        content = json::array();
        content.push_back(std::move(block));
    } else if (!content.is_array()) {
        content = json::array();
    }
    for (json& block : content) {
        join_pairs(block);
    }
    complete_ids(content, from.prefix.value_or(0));
    message out{.role = role::model};
    for (const json& block : content) {
        out.parts.push_back(decode_block(block));
    }
    json wire = {{"content", std::move(content)}};
    if (from.prefix) {
        wire["prefix"] = detail::hexadecimal(*from.prefix);
    }
    out.wire = wire_form{from.writer, std::move(wire)};
    return out;
}

result<model_response> decode_response(json body, const origin& from) {
    if (is_error(body)) {
        return decode_error_document(body, {});
    }
    const json* const received = find_member(body, "content");
    if (received == nullptr || !(received->is_array() || received->is_string())) {
        return unreadable("the body is JSON but not a message");
    }
    std::size_t values_left = detail::most_response_values;
    if ((received->is_array() && received->size() > detail::most_response_parts) || !detail::count_values(*received, values_left)) {
        return detail::too_many_parts();
    }
    model_response out;
    candidate& only = out.candidates.emplace_back();
    only.content = decode_content(std::move(body["content"]), from);
    only.finish_text = string_of(body, "stop_reason");
    only.finish = finish_of(only.finish_text);
    only.finish_message = explanation_of(body);
    if (const json* usage = find_member(body, "usage")) {
        out.usage = usage_of(*usage);
    }
    out.model = string_of(body, "model");
    return out;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
