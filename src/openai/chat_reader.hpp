#pragma once
#include "net/json_stream.hpp"
#include "openai/chat_assembly.hpp"
#include "openai/decode.hpp"
#include "openai/errors.hpp"

#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::openai_codec {

/// Reads the body of a streamed chat completion incrementally. Also accepts one JSON document.
class chat_reader {
public:
    chat_reader(const delta_sink& sink, decode_style decoding, const error_style& errors, std::size_t max_bytes);
    chat_reader(const chat_reader&) = delete;
    chat_reader& operator=(const chat_reader&) = delete;

    /// Parses the next piece. Returns false after an error, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece) { return stream_.feed(piece); }

    /// Ends the stream and returns the response. Fails with `connection_failed` (no finish reason and no `[DONE]`), `bad_response` (cannot
    /// be parsed), `too_large`, or the error that the service sent in the stream.
    [[nodiscard]] result<model_response> finish();

private:
    [[nodiscard]] std::optional<failure> take_chunk(json chunk, std::string_view type);
    [[nodiscard]] std::optional<failure> take_error(const json& document);

    delta_sink sink_;
    decode_style decoding_;
    error_style errors_;
    net::json_stream stream_;
    chat_assembly chunks_ = {};
    std::optional<model_response> refusal_ = {};  ///< an error in the stream that is a response
};

}  // namespace pyaichat::inline PYAICHAT_ABI::openai_codec
