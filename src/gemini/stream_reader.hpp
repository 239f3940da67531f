#pragma once
#include "gemini/errors.hpp"
#include "net/json_stream.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

/// Assembles the chunks of a stream into the response that `generateContent` would have sent (wire document, sections 12.2, 12.3, 16.5).
/// Parts keep their order. Adjacent texts without a signature are joined, and empty ones dropped. For other members, the last value wins.
class stream_assembly {
public:
    /// Adds a chunk, which must be an object, and passes the new text and thoughts of the first candidate to the sink.
    void add(json chunk, const delta_sink& sink);

    /// Whether there are candidates but none has a finish reason, because the stream was interrupted.
    [[nodiscard]] bool interrupted() const noexcept;

    /// Returns the `GenerateContentResponse` and resets the object.
    [[nodiscard]] json take();

private:
    struct candidate_parts {
        json members = json::object();  ///< of the candidate, except `content`
        json content = {};              ///< the content, except `parts`; null = none yet
        json parts = json::array();
    };

    json envelope_ = json::object();
    std::map<std::int64_t, candidate_parts> candidates_ = {};
};

/// Parses the body of `streamGenerateContent?alt=sse` incrementally. Also accepts one JSON document, and the array that the service sends
/// without `alt=sse`.
class stream_reader {
public:
    stream_reader(const delta_sink& sink, std::string writer, const advice& names, std::size_t max_bytes, json_budget budget = {});
    stream_reader(const stream_reader&) = delete;
    stream_reader& operator=(const stream_reader&) = delete;

    /// Parses the next piece. Returns false after an error, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece) { return stream_.feed(piece); }

    /// Ends the stream and returns the response. Fails with `connection_failed` (interrupted), `bad_response` (cannot be parsed),
    /// `too_large`, or the error that the service sent in the stream.
    [[nodiscard]] result<model_response> finish();

private:
    [[nodiscard]] std::optional<failure> take_chunk(json chunk);

    delta_sink sink_;
    std::string writer_;
    advice names_;
    net::json_stream stream_;
    stream_assembly chunks_ = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
