#include "openai/completion_reader.hpp"

#include "openai/decode_responses.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

completion_reader::completion_reader(const delta_sink& sink, decode_style decoding, const error_style& errors, std::size_t max_bytes,
                                     json_budget budget)
    : sink_([this, sink](delta_sink::kind what, std::string_view piece) {
          shown_ = true;
          sink(what, piece);
      }),
      shown_to_(sink),
      decoding_(std::move(decoding)),
      errors_(errors),
      stream_(
          max_bytes, errors.names.secret, [this](json chunk, std::string_view type) { return take_chunk(std::move(chunk), type); },
          [this](const json& document) { return is_error(document) ? settle(decode_error_document(document, errors_)) : std::nullopt; },
          lone_surrogates::replaced, std::move(budget)) {}

std::optional<failure> completion_reader::settle(result<model_response> read) {
    if (!read) {
        return read.error();
    }
    settled_ = *std::move(read);
    return std::nullopt;
}

std::optional<failure> completion_reader::take_chunk(json chunk, std::string_view type) {
    if (settled_) {
        return std::nullopt;
    }
    if (type == "error" || is_error(chunk)) {
        return settle(decode_error_document(chunk, errors_));
    }
    if (!chunk.is_object()) {
        return stream_.unreadable("the JSON is not a completion", dump_json(chunk));
    }
    std::optional<result<model_response>> end = add(std::move(chunk), sink_);
    return end ? settle(*std::move(end)) : std::nullopt;
}

result<model_response> completion_reader::finish() {
    result<model_response> response = outcome();
    if (!response && shown_) {
        shown_to_.restart();
    }
    return response;
}

result<model_response> completion_reader::outcome() {
    if (const result<void> ended = stream_.finish(); !ended) {
        return ended.error();
    }
    if (settled_) {
        return *std::move(settled_);
    }
    if (!stream_.whole() && interrupted(stream_.done())) {
        return net::interruption("the stream ended without a finish reason");
    }
    return assemble(decoding_);
}

std::optional<result<model_response>> chat_reader::add(json chunk, const delta_sink& sink) {
    chunks_.add(std::move(chunk), sink);
    return std::nullopt;
}

std::optional<result<model_response>> responses_reader::add(json chunk, const delta_sink& sink) {
    if (std::optional<json> error = events_.add(std::move(chunk), sink)) {
        return decode_error_document(*error, errors());
    }
    return std::nullopt;
}

result<model_response> responses_reader::assemble(const decode_style& decoding) {
    return decode_responses(events_.take(), decoding);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
