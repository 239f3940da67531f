#pragma once
#include "gemini/errors.hpp"

#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/net/sse.hpp>
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

    /// Whether a chunk has been added.
    [[nodiscard]] bool started() const noexcept { return started_; }
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

    bool started_ = false;
    json envelope_ = json::object();
    std::map<std::int64_t, candidate_parts> candidates_ = {};
};

/// Parses the body of `streamGenerateContent?alt=sse` incrementally. Also accepts one JSON document, and the array that the service sends
/// without `alt=sse`.
class stream_reader {
public:
    stream_reader(const delta_sink& sink, std::string writer, const advice& names, std::size_t max_bytes)
        : sink_(sink), writer_(std::move(writer)), names_(names), limit_(max_bytes), parser_(max_bytes) {}

    /// Parses the next piece. Returns false after an error, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece);

    /// Ends the stream and returns the response. Fails with `connection_failed` (interrupted), `bad_response` (cannot be parsed),
    /// `too_large`, or the error that the service sent in the stream.
    [[nodiscard]] result<model_response> finish();

private:
    void take_event(const net::sse_event& event);
    void take_stray(std::string_view line);
    void take_chunk(json chunk);
    void read_document();
    [[nodiscard]] failure unreadable(std::string_view what, std::string_view text) const;

    delta_sink sink_;
    std::string writer_;
    advice names_;
    std::size_t limit_;
    std::size_t bytes_ = 0;
    net::sse_parser parser_;
    stream_assembly chunks_ = {};
    std::string document_ = {};           ///< the lines outside of events
    bool whole_ = false;                  ///< the body is one JSON document, which cannot be interrupted
    std::optional<failure> failed_ = {};  ///< the first error
};

}  // namespace pyaichat::inline PYAICHAT_ABI::gemini_codec
