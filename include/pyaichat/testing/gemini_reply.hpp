#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A function call of the emulated model. An empty `id` is left out, as by models before Gemini 3. Null `args` are left out too.
struct gemini_call {
    std::string id = {};
    std::string name = {};
    json args = json::object();
};

/// The methods of the service.
enum class gemini_method : unsigned char { generate, stream, count_tokens, describe_model, list_models };

/// The forms of a stream's last chunk. The service sends all of them.
enum class gemini_last_chunk : unsigned char {
    with_content,   ///< the last parts and the finish reason together
    empty_text,     ///< `parts: [{"text": ""}]`
    empty_part,     ///< `parts: [{}]`
    role_only,      ///< `content: {"role": "model"}`
    empty_content,  ///< `content: {}`
    no_content,     ///< a finish reason only
};

/// One scripted reply of the emulator: its content, and faults to inject. The request decides the format: one document for
/// `generateContent`, events for `streamGenerateContent?alt=sse`, a JSON array without `alt=sse`.
///
///     gemini_reply::text("Hello.")
///     gemini_reply::calls({{"fc-1", "get_type", args}}, "c2lnbmF0dXJl").chunk_per_part()
///     gemini_reply::deltas({"Hel", "lo."}).byte_by_byte()
///     gemini_reply::overloaded().after(20ms)
class gemini_reply {
public:
    /// Replies with a text and the finish reason `STOP`.
    [[nodiscard]] static gemini_reply text(std::string_view words, std::string_view signature = {});
    /// Replies with a text, one chunk per piece. The signature follows in a part with an empty text.
    [[nodiscard]] static gemini_reply deltas(const std::vector<std::string>& pieces, std::string_view signature = {});
    /// Replies with function calls in one chunk. The first call gets the signature.
    [[nodiscard]] static gemini_reply calls(const std::vector<gemini_call>& function_calls, std::string_view signature = {});
    /// Replies with one candidate of these parts.
    [[nodiscard]] static gemini_reply parts(json model_parts, std::string_view finish_reason = "STOP");
    /// Replies with one candidate without content: `MALFORMED_FUNCTION_CALL`, `MAX_TOKENS`, `SAFETY`, ...
    [[nodiscard]] static gemini_reply finish(std::string_view finish_reason, std::string_view finish_message = {});
    /// Replies with HTTP 200 and only `promptFeedback`.
    [[nodiscard]] static gemini_reply prompt_block(std::string_view block_reason);
    /// Replies with an error and a `google.rpc.Status` body. `code` is the HTTP status.
    [[nodiscard]] static gemini_reply error(int code, std::string_view status, std::string_view message, json details = json::array());
    /// Replies with 429, a rate limit, and this `quotaId`. If `retry_delay` ("56s") is not empty, adds `RetryInfo`.
    [[nodiscard]] static gemini_reply rate_limit(std::string_view retry_delay,
                                                 std::string_view quota_id = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
    /// Replies with 429 and the delay in the message only: "Please retry in 12.3s."
    [[nodiscard]] static gemini_reply rate_limit_in_text(std::string_view retry_delay);
    /// Replies with 429, an exhausted daily quota.
    [[nodiscard]] static gemini_reply daily_quota();
    /// Replies with 503, an overloaded service.
    [[nodiscard]] static gemini_reply overloaded();
    /// Replies with an HTML error page, like a proxy.
    [[nodiscard]] static gemini_reply html_error(int status = 502);
    /// Replies with HTTP 200 and any JSON body. A stream sends it as its only event.
    [[nodiscard]] static gemini_reply document(json body);
    /// Replies with these events of a stream, unchanged. A request without streaming gets the last event.
    [[nodiscard]] static gemini_reply documents(std::vector<json> events);
    /// Replies to any request with this status, these headers and this body.
    [[nodiscard]] static gemini_reply http(int status, std::vector<http_header> headers, std::string body);
    /// Sends these bytes instead of an HTTP message, then closes the connection.
    [[nodiscard]] static gemini_reply raw(std::string bytes);
    /// Sends no response and keeps the connection open.
    [[nodiscard]] static gemini_reply hang();
    /// Sends no response and resets the connection.
    [[nodiscard]] static gemini_reply reset();

    // Content. Each function below returns the changed reply.
    /// Adds a thought summary before the other parts.
    [[nodiscard]] gemini_reply thinking(std::string_view summary) &&;
    /// Appends a part in its own chunk: `{}`, `{"thoughtSignature": ...}`, more text.
    [[nodiscard]] gemini_reply and_part(json part) &&;
    /// Sets the finish reason and message.
    [[nodiscard]] gemini_reply finishing(std::string_view reason, std::string_view message = {}) && {
        return with(&gemini_reply::finish_reason_, reason).with(&gemini_reply::finish_message_, message);
    }
    /// Leaves out the finish reason, as in an interrupted stream.
    [[nodiscard]] gemini_reply without_finish() && { return with(&gemini_reply::finish_reason_, std::nullopt); }
    /// Sends the finish reason with every chunk, as old models do.
    [[nodiscard]] gemini_reply finish_on_every_chunk() && { return with(&gemini_reply::finish_on_every_chunk_, true); }
    /// Sends each part in its own chunk.
    [[nodiscard]] gemini_reply chunk_per_part() && { return with(&gemini_reply::chunk_per_part_, true); }
    /// Sets the form of the last chunk.
    [[nodiscard]] gemini_reply last_chunk(gemini_last_chunk last) && { return with(&gemini_reply::last_chunk_, last); }
    /// Adds undocumented members wherever the service may add members.
    [[nodiscard]] gemini_reply with_unknown_members() && { return with(&gemini_reply::unknown_members_, true); }
    /// Leaves out `candidates`.
    [[nodiscard]] gemini_reply without_candidates() && { return with(&gemini_reply::without_candidates_, true); }
    /// Sets `usageMetadata` of the last chunk. Null removes it from all chunks.
    [[nodiscard]] gemini_reply usage(json counts) && { return with(&gemini_reply::usage_, std::move(counts)); }

    // Streaming.
    /// Ends the stream with an error event. A request without streaming gets the error with its HTTP status.
    [[nodiscard]] gemini_reply then_error(int code, std::string_view status, std::string_view message) &&;
    /// Like `then_error`, but the error is a JSON object without `data:`.
    [[nodiscard]] gemini_reply then_bare_error(int code, std::string_view status, std::string_view message) &&;
    /// Sets the line ending: "\r\n" (default), "\n" or "\r".
    [[nodiscard]] gemini_reply line_end(std::string_view end) && { return with(&gemini_reply::line_end_, end); }
    /// Leaves out the blank line after the last event.
    [[nodiscard]] gemini_reply without_last_blank_line() && { return with(&gemini_reply::last_blank_line_, false); }
    /// Pauses between the events.
    [[nodiscard]] gemini_reply chunk_pause(duration pause) && { return std::move(*this).dripping(0, pause); }

    // Transport.
    /// Uses the reply for this method only. By default a reply is for `generate` and `stream`.
    [[nodiscard]] gemini_reply only_for(gemini_method method) && { return with(&gemini_reply::only_for_, method); }
    /// Sets a response header: `.header("Content-Type", "text/event-stream")`.
    [[nodiscard]] gemini_reply header(std::string_view name, std::string_view value) &&;
    /// Wraps the body of an error or of a single document in an array.
    [[nodiscard]] gemini_reply in_array() && { return with(&gemini_reply::in_array_, true); }
    /// Inserts this many blanks into the JSON body. They are generated while they are sent: gigabytes need no memory.
    [[nodiscard]] gemini_reply padded_by(std::size_t blanks) && { return with(&gemini_reply::blanks_, blanks); }
    /// Waits before the first byte.
    [[nodiscard]] gemini_reply after(duration delay) && { return with(&gemini_reply::delay_, delay); }
    /// Sends `bytes` per write, with a pause between writes.
    [[nodiscard]] gemini_reply dripping(std::size_t bytes, duration pause) && {
        return with(&gemini_reply::piece_, bytes).with(&gemini_reply::pause_, pause);
    }
    /// Sends one byte per write, without pauses.
    [[nodiscard]] gemini_reply byte_by_byte() && { return std::move(*this).dripping(1, {}); }
    /// Closes the connection after the head and this many bytes of the body.
    [[nodiscard]] gemini_reply cut_after(std::size_t body_bytes) && { return ending_after(body_bytes, ending::close); }
    /// Resets the connection after the head and this many bytes of the body.
    [[nodiscard]] gemini_reply reset_after(std::size_t body_bytes) && { return ending_after(body_bytes, ending::reset); }
    /// Sends nothing more after the head and this many bytes of the body, and keeps the connection open.
    [[nodiscard]] gemini_reply stall_after(std::size_t body_bytes) && { return ending_after(body_bytes, ending::hang); }
    /// Closes the connection after the reply, without a `Connection: close` header.
    [[nodiscard]] gemini_reply then_close() && { return with(&gemini_reply::then_, ending::close); }

private:
    template <class, class>
    friend class service_emulator;
    friend class gemini_renderer;
    enum class form : unsigned char { content, documents, error, body, raw };
    enum class ending : unsigned char { keep, close, reset, hang };
    struct late_error {
        int code = 0;
        json body = {};
        bool bare = false;
    };

    template <class Member, class Value>
    [[nodiscard]] gemini_reply with(Member gemini_reply::* member, Value&& value) {
        this->*member = std::forward<Value>(value);
        return std::move(*this);
    }
    [[nodiscard]] gemini_reply ending_after(std::size_t body_bytes, ending then) {
        return with(&gemini_reply::body_limit_, body_bytes).with(&gemini_reply::then_, then);
    }

    form form_ = form::content;
    std::optional<gemini_method> only_for_ = {};
    std::vector<json> steps_ = {};  ///< form `content`: the parts of each chunk
    std::optional<std::string> finish_reason_ = "STOP";
    std::string finish_message_ = {};
    json prompt_feedback_ = {};
    gemini_last_chunk last_chunk_ = gemini_last_chunk::with_content;
    bool finish_on_every_chunk_ = false;
    bool chunk_per_part_ = false;
    bool unknown_members_ = false;
    bool without_candidates_ = false;
    std::optional<json> usage_ = {};

    std::vector<json> documents_ = {};  ///< forms `documents` and `error`
    std::optional<late_error> late_error_ = {};
    std::string line_end_ = "\r\n";
    bool last_blank_line_ = true;
    bool in_array_ = false;

    int status_ = 200;
    std::vector<http_header> headers_ = {};
    std::string body_ = {};  ///< forms `body` and `raw`
    std::size_t blanks_ = 0;
    duration delay_ = {};
    std::size_t piece_ = 0;
    duration pause_ = {};
    std::size_t body_limit_ = static_cast<std::size_t>(-1);
    ending then_ = ending::keep;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
