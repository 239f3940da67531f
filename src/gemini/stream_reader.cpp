#include "gemini/stream_reader.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/gemini/codec.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

namespace {

failure interruption(std::string message) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = "The service's response was cut off."};
}

}  // namespace

failure stream_reader::unreadable(std::string_view what, std::string_view text) const {
    return {.code = errc::bad_response,
            .message = std::string(what) + ": " + detail::one_line(redact(std::string(text), names_.secret), 120),
            .hint = "The service sent a response that cannot be read."};
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
