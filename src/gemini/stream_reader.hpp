#pragma once
#include "gemini/errors.hpp"
#include "gemini/stream_assembly.hpp"

#include <pyaichat/net/sse.hpp>

#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::gemini_codec {

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
