#include "openai/chat_reader.hpp"

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

chat_reader::chat_reader(const delta_sink& sink, decode_style decoding, const error_style& errors, std::size_t max_bytes)
    : sink_(sink),
      decoding_(std::move(decoding)),
      errors_(errors),
      stream_(
          max_bytes, errors.names.secret, [this](json chunk, std::string_view type) { return take_chunk(std::move(chunk), type); },
          [this](const json& document) { return is_error(document) ? take_error(document) : std::nullopt; }) {}

std::optional<failure> chat_reader::take_error(const json& document) {
    result<model_response> read = decode_error_document(document, errors_);
    if (!read) {
        return read.error();
    }
    refusal_ = *std::move(read);
    return std::nullopt;
}

std::optional<failure> chat_reader::take_chunk(json chunk, std::string_view type) {
    if (refusal_) {
        return std::nullopt;
    }
    if (type == "error" || is_error(chunk)) {
        return take_error(chunk);
    }
    if (!chunk.is_object()) {
        return stream_.unreadable("the JSON is not a chat completion", dump_json(chunk));
    }
    chunks_.add(std::move(chunk), sink_);
    return std::nullopt;
}

result<model_response> chat_reader::finish() {
    if (const result<void> ended = stream_.finish(); !ended) {
        return ended.error();
    }
    if (refusal_) {
        return *std::move(refusal_);
    }
    if (!stream_.whole() && !stream_.done() && chunks_.unfinished()) {
        return net::interruption("the stream ended without a finish reason");
    }
    return decode_completion(chunks_.take(), decoding_);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
