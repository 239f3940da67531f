#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/net/sse.hpp>

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// Makes the failure for a stream that ended too early.
[[nodiscard]] failure interruption(std::string message);

/// Reads the body of a response that should be an event stream whose events are JSON documents. Also accepts one JSON document instead, or
/// an array of the chunks. An event with the data `[DONE]` ends the stream; what follows is read and ignored. The owner, which has to
/// outlive the reader, gives the callbacks.
class json_stream {
public:
    /// Takes a chunk and the type of its event ("message" by default). Returns a failure to stop the stream.
    using chunk_receiver = std::function<std::optional<failure>(json chunk, std::string_view type)>;
    /// Takes JSON outside of events after the first chunk, such as an error document. A line `error: {...}` is `{"error": {...}}`.
    using stray_receiver = std::function<std::optional<failure>(json document)>;

    json_stream(std::size_t max_bytes, std::string_view secret, chunk_receiver on_chunk, stray_receiver on_stray,
                lone_surrogates halves = lone_surrogates::replaced, json_budget budget = {})
        : limit_(max_bytes),
          secret_(secret),
          on_chunk_(std::move(on_chunk)),
          on_stray_(std::move(on_stray)),
          halves_(halves),
          budget_(std::move(budget)),
          parser_(max_bytes) {}

    /// Parses the next piece. Returns false after a failure, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece);

    /// Ends the stream. Fails with `connection_failed` (no chunk, or a cut event), `bad_response` (cannot be parsed), `too_large`, or the
    /// failure of a callback or of the budget.
    [[nodiscard]] result<void> finish();

    /// Whether `[DONE]` was received.
    [[nodiscard]] bool done() const noexcept { return done_; }
    /// Whether the body was one JSON document, which cannot be interrupted.
    [[nodiscard]] bool whole() const noexcept { return whole_; }

    /// Makes a `bad_response` that quotes the start of a text without the secret.
    [[nodiscard]] failure unreadable(std::string_view what, std::string_view text) const;

private:
    void take_event(const sse_event& event);
    void take_line(std::string_view line);
    void take_chunk(json chunk, std::string_view type);
    void read_document();

    std::size_t limit_;
    std::string_view secret_;
    chunk_receiver on_chunk_;
    stray_receiver on_stray_;
    lone_surrogates halves_;
    json_budget budget_;  ///< for all documents of the stream
    std::size_t bytes_ = 0;
    sse_parser parser_;
    std::string document_ = {};  ///< the lines outside of events
    bool started_ = false;       ///< a chunk was received
    bool done_ = false;
    bool whole_ = false;
    std::optional<failure> failed_ = {};  ///< the first failure
};

}  // namespace pyaichat::inline PYAICHAT_ABI::net
