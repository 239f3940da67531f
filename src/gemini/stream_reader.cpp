#include "gemini/stream_reader.hpp"

#include "gemini/wire.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

bool is_thought(const json& part) {
    return bool_member(part, "thought").value_or(false);
}

/// Whether a part has only text. Such parts may be joined.
bool is_plain_text(const json& part) {
    return string_member(part, "text") && part.size() == (bool_member(part, "thought") ? 2u : 1u);
}

void show(const json& part, const delta_sink& sink) {
    const auto text = string_member(part, "text");
    if (!text || text->empty() || find_member(part, "functionCall") != nullptr) {
        return;
    }
    if (is_thought(part)) {
        sink.thought(*text);
    } else {
        sink.text(*text);
    }
}

void append_part(json& parts, json part) {
    if (!is_plain_text(part)) {
        parts.push_back(std::move(part));
        return;
    }
    const std::string_view text = *string_member(part, "text");
    if (text.empty()) {
        return;
    }
    if (!parts.empty() && is_plain_text(parts.back()) && is_thought(parts.back()) == is_thought(part)) {
        parts.back()["text"].get_ptr<json::string_t*>()->append(text);
    } else {
        parts.push_back(std::move(part));
    }
}

/// Overwrites the members of `into` with those of `from`, except one.
void overwrite(json& into, json& from, std::string_view except) {
    for (auto member = from.begin(); member != from.end(); ++member) {
        if (member.key() != except && !member->is_null()) {
            into[member.key()] = std::move(*member);
        }
    }
}

failure interruption(std::string message) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = "The service's response was cut off."};
}

}  // namespace

void stream_assembly::add(json chunk, const delta_sink& sink) {
    started_ = true;
    overwrite(envelope_, chunk, "candidates");
    json* const candidates = member_of_type(chunk, "candidates", json::value_t::array);
    if (candidates == nullptr) {
        return;
    }
    std::int64_t position = 0;
    for (json& wire : *candidates) {
        // The service omits an index of zero. Without any index, candidates are identified by their order.
        const std::int64_t index = integer_member(wire, "index").value_or(position++);
        candidate_parts& into = candidates_[index];
        if (!wire.is_object()) {
            continue;
        }
        overwrite(into.members, wire, "content");
        json* const content = member_of_type(wire, "content", json::value_t::object);
        if (content == nullptr) {
            continue;
        }
        if (into.content.is_null()) {
            into.content = json::object();
        }
        overwrite(into.content, *content, "parts");
        if (json* const parts = member_of_type(*content, "parts", json::value_t::array)) {
            for (json& part : *parts) {
                if (index == 0) {
                    show(part, sink);
                }
                append_part(into.parts, std::move(part));
            }
        }
    }
}

bool stream_assembly::interrupted() const noexcept {
    return !candidates_.empty() && std::none_of(candidates_.begin(), candidates_.end(), [](const auto& entry) {
        return !string_member(entry.second.members, "finishReason").value_or("").empty();
    });
}

json stream_assembly::take() {
    json out = std::exchange(envelope_, json::object());
    for (auto& [index, received] : candidates_) {
        json& whole = out["candidates"].emplace_back(std::move(received.members));
        if (!received.content.is_null()) {
            whole["content"] = std::move(received.content);
            if (!received.parts.empty()) {
                whole["content"]["parts"] = std::move(received.parts);
            }
        }
    }
    candidates_.clear();
    started_ = false;
    return out;
}

failure stream_reader::unreadable(std::string_view what, std::string_view text) const {
    return gemini_codec::unreadable(std::string(what) + ": " + detail::one_line(redact(std::string(text), names_.secret), 120));
}

bool stream_reader::feed(std::string_view piece) {
    if (failed_) {
        return false;
    }
    bytes_ += piece.size();
    const result<void> parsed = parser_.feed(
        piece, [this](const net::sse_event& event) { take_event(event); }, [this](std::string_view line) { take_stray(line); });
    if (!failed_ && (!parsed || bytes_ > limit_)) {
        failed_ = failure{.code = errc::too_large,
                          .message = "the stream is longer than " + std::to_string(limit_) + " bytes",
                          .hint = "The service's response is larger than allowed."};
    }
    return !failed_;
}

void stream_reader::take_event(const net::sse_event& event) {
    if (failed_ || detail::is_blank(event.data) || event.data == "[DONE]") {  // some proxies end streams with [DONE]
        return;
    }
    result<json> chunk = parse_json(event.data);
    if (chunk) {
        take_chunk(*std::move(chunk));
    } else if (!event.terminated) {
        failed_ = interruption("the stream ended in the middle of an event");
    } else {
        failed_ =
            unreadable("an event of the stream cannot be parsed as JSON (" + std::string(to_string(chunk.error().code)) + ")", event.data);
    }
}

void stream_reader::take_stray(std::string_view line) {
    document_ += line;
    document_ += '\n';
}

void stream_reader::take_chunk(json chunk) {
    if (failed_) {
        return;
    }
    if (const json* error = error_member(chunk)) {
        failed_ = decode_error_member(*error, names_);
    } else if (!chunk.is_object()) {
        failed_ = unreadable("the JSON is not a GenerateContentResponse", dump_json(chunk));
    } else {
        chunks_.add(std::move(chunk), sink_);
    }
}

/// Parses the lines outside of events: an error in the middle of a stream, or a body that is not a stream.
void stream_reader::read_document() {
    result<json> document = parse_json(document_);
    if (chunks_.started()) {
        if (const json* error = document ? error_member(*document) : nullptr) {
            failed_ = decode_error_member(*error, names_);
        }
        return;
    }
    if (!document) {
        failed_ = unreadable(
            "the response is neither an event stream nor valid JSON (" + std::string(to_string(document.error().code)) + ")", document_);
    } else if (document->is_array() && !document->empty()) {
        for (json& chunk : *document) {
            take_chunk(std::move(chunk));
        }
    } else {
        whole_ = true;
        take_chunk(*std::move(document));
    }
}

result<model_response> stream_reader::finish() {
    parser_.finish([this](const net::sse_event& event) { take_event(event); }, [this](std::string_view line) { take_stray(line); });
    if (!failed_ && !detail::is_blank(document_)) {
        read_document();
    }
    if (!failed_ && !chunks_.started()) {
        failed_ = interruption("the stream ended without a response");
    }
    if (!failed_ && !whole_ && chunks_.interrupted()) {
        failed_ = interruption("the stream ended without a finish reason");
    }
    if (failed_) {
        return *failed_;
    }
    return decode_response(chunks_.take(), writer_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
