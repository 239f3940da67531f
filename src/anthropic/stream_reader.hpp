#pragma once
#include "anthropic/errors.hpp"
#include "net/json_stream.hpp"

#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec {

/// Assembles the events of a stream into the message that the service would have sent as a whole (wire document, section 7).
class stream_assembly {
public:
    /// Adds an event, which must be an object, and passes the new text and thoughts to the sink. Unknown events are ignored.
    void add(json event, std::string_view type, const delta_sink& sink);

    /// Whether neither the end of the message nor a stop reason was received.
    [[nodiscard]] bool interrupted() const noexcept;
    /// Whether text or thoughts were passed to the sink.
    [[nodiscard]] bool has_shown() const noexcept { return shown_; }

    /// Returns the message and resets the object.
    [[nodiscard]] json take();

private:
    struct open_block {
        json block = {};
        std::string input = {};  ///< the pieces of the JSON of a call
        bool closed = false;
    };

    void begin(json& event, const delta_sink& sink);
    void begin_block(json& event, const delta_sink& sink);
    void add_delta(const json& event, const delta_sink& sink);
    void end_block(open_block& ended);
    void show(delta_sink::kind what, std::string_view piece, const delta_sink& sink);
    [[nodiscard]] open_block& block_for(std::int64_t index, std::string_view type);

    json envelope_ = json::object();  ///< the message without its content
    std::vector<open_block> blocks_ = {};
    std::map<std::int64_t, std::size_t> places_ = {};  ///< of the last block with each index
    bool begun_ = false;
    bool ended_ = false;
    bool shown_ = false;
};

/// Parses the body of a streamed response incrementally. Also accepts one JSON document.
class stream_reader {
public:
    stream_reader(const delta_sink& sink, origin from, const advice& hints, std::size_t max_bytes, json_budget budget = {});
    stream_reader(const stream_reader&) = delete;
    stream_reader& operator=(const stream_reader&) = delete;

    /// Parses the next piece. Returns false after an error, which `finish` returns.
    [[nodiscard]] bool feed(std::string_view piece) { return stream_.feed(piece); }

    /// Ends the stream and returns the response. Fails with `connection_failed` (interrupted), `bad_response` (cannot be parsed),
    /// `too_large`, or the error that the service sent in the stream. After a failure, the sink has withdrawn what was shown.
    [[nodiscard]] result<model_response> finish();

private:
    [[nodiscard]] std::optional<failure> take_event(json event, std::string_view type);
    [[nodiscard]] result<model_response> outcome();

    delta_sink sink_;
    origin from_;
    advice hints_;
    net::json_stream stream_;
    stream_assembly assembly_ = {};
    std::optional<json> whole_ = {};  ///< a message that is not streamed
};

}  // namespace pyaichat::inline PYAICHAT_ABI::anthropic_codec
