#include "net/json_stream.hpp"

#include "net/service_access.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <array>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

/// Whether a text is the beginning of a line of an event stream.
bool is_cut_field(std::string_view text) {
    text = detail::trimmed(text);
    constexpr std::array<std::string_view, 4> fields = {"data:", "event:", "id:", "retry:"};
    return !text.empty() && std::any_of(fields.begin(), fields.end(), [text](std::string_view field) { return field.starts_with(text); });
}

}  // namespace

failure interruption(std::string message) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = "The service's response was cut off."};
}

failure json_stream::unreadable(std::string_view what, std::string_view text) const {
    return net::unreadable(std::string(what) + ": " + detail::one_line(redact(std::string(text), secret_), 120));
}

bool json_stream::feed(std::string_view piece) {
    if (failed_) {
        return false;
    }
    bytes_ += piece.size();
    const result<void> parsed =
        parser_.feed(piece, [this](const sse_event& event) { take_event(event); }, [this](std::string_view line) { take_line(line); });
    if (!failed_ && (!parsed || bytes_ > limit_)) {
        failed_ = failure{.code = errc::too_large,
                          .message = "the stream is longer than " + std::to_string(limit_) + " bytes",
                          .hint = "The service's response is larger than allowed."};
    }
    return !failed_;
}

void json_stream::take_event(const sse_event& event) {
    if (failed_ || done_ || detail::is_blank(event.data)) {
        return;
    }
    if (event.data == "[DONE]") {
        done_ = true;
        return;
    }
    result<json> chunk = parse_json(event.data, budget_, halves_);
    if (chunk) {
        take_chunk(*std::move(chunk), event.type);
    } else if (is_spent(budget_, chunk.error())) {
        failed_ = chunk.error();
    } else if (!event.terminated) {
        failed_ = interruption("the stream ended in the middle of an event");
    } else {
        failed_ =
            unreadable("an event of the stream cannot be parsed as JSON (" + std::string(to_string(chunk.error().code)) + ")", event.data);
    }
}

void json_stream::take_line(std::string_view line) {
    constexpr std::string_view field = "error:";
    if (!failed_ && !done_ && line.starts_with(field)) {
        if (result<json> error = parse_json(line.substr(field.size()), budget_); error) {
            json document = json::object();
            document["error"] = *std::move(error);
            take_chunk(std::move(document), "error");
            return;
        }
    }
    document_ += line;
    document_ += '\n';
}

void json_stream::take_chunk(json chunk, std::string_view type) {
    if (!failed_) {
        started_ = true;
        failed_ = on_chunk_(std::move(chunk), type);
    }
}

/// Parses the lines outside of events: an error in the middle of a stream, or a body that is not a stream.
void json_stream::read_document() {
    result<json> document = parse_json(document_, budget_, halves_);
    if (!document && is_spent(budget_, document.error())) {
        failed_ = document.error();
    } else if (started_) {
        if (document) {
            failed_ = on_stray_(*std::move(document));
        } else if (document_.starts_with('{') || document_.starts_with('[')) {
            failed_ = interruption("the stream ended in the middle of an error");
        }
    } else if (!document && is_cut_field(document_)) {
        failed_ = interruption("the stream ended in the middle of its first line");
    } else if (!document) {
        failed_ = unreadable(
            "the response is neither an event stream nor valid JSON (" + std::string(to_string(document.error().code)) + ")", document_);
    } else if (document->is_array() && !document->empty()) {
        for (json& chunk : *document) {
            take_chunk(std::move(chunk), "message");
        }
    } else {
        whole_ = true;
        take_chunk(*std::move(document), "message");
    }
}

result<void> json_stream::finish() {
    parser_.finish([this](const sse_event& event) { take_event(event); }, [this](std::string_view line) { take_line(line); });
    if (!failed_ && !detail::is_blank(document_)) {
        read_document();
    }
    if (!failed_ && !started_) {
        failed_ = interruption("the stream ended without a response");
    }
    return failed_ ? result<void>(*failed_) : result<void>();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
