#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A function call as the emulated model makes it. An empty `id` is left out, as models before Gemini 3 do; `args` of null are left out
/// too.
struct gemini_call {
    std::string id = {};
    std::string name = {};
    json args = json::object();
};

/// What a client can ask of the service.
enum class gemini_method : unsigned char { generate, stream, count_tokens, describe_model, list_models };

/// What the chunk looks like in which a stream ends; all of these occur.
enum class gemini_last_chunk : unsigned char {
    with_content,   ///< the last parts and the finish reason together
    empty_text,     ///< `parts: [{"text": ""}]`
    empty_part,     ///< `parts: [{}]`
    role_only,      ///< `content: {"role": "model"}`
    empty_content,  ///< `content: {}`
    no_content,     ///< a finish reason and nothing else
};

/// One scripted reply of the emulator: what is said, and what goes wrong on the way. The same reply answers `generateContent` with one
/// document, `streamGenerateContent?alt=sse` with events, and without `alt=sse` with a JSON array.
///
///     gemini_reply::text("Hello.")
///     gemini_reply::calls({{"fc-1", "get_type", args}}, "c2lnbmF0dXJl").chunk_per_part()
///     gemini_reply::deltas({"Hel", "lo."}).byte_by_byte()
///     gemini_reply::overloaded().after(20ms)
class gemini_reply {
public:
    /// A final text, with finish reason `STOP`.
    [[nodiscard]] static gemini_reply text(std::string_view words, std::string_view signature = {});
    /// A final text, a chunk for each piece. The signature comes behind them, in a part with an empty text.
    [[nodiscard]] static gemini_reply deltas(const std::vector<std::string>& pieces, std::string_view signature = {});
    /// Function calls in this order, in one chunk; the signature goes to the first one.
    [[nodiscard]] static gemini_reply calls(const std::vector<gemini_call>& wanted, std::string_view signature = {});
    /// One candidate of these parts.
    [[nodiscard]] static gemini_reply parts(json model_parts, std::string_view finish_reason = "STOP");
    /// One candidate without content: `MALFORMED_FUNCTION_CALL`, `MAX_TOKENS`, `SAFETY`, ...
    [[nodiscard]] static gemini_reply finish(std::string_view finish_reason, std::string_view finish_message = {});
    /// HTTP 200 with `promptFeedback` only.
    [[nodiscard]] static gemini_reply prompt_block(std::string_view block_reason);
    /// An error with a `google.rpc.Status` body.
    [[nodiscard]] static gemini_reply error(int code, std::string_view status, std::string_view message, json details = json::array());
    /// The 429 of a rate limit, with `RetryInfo` when `retry_delay` ("56s") is not empty, and with this `quotaId`.
    [[nodiscard]] static gemini_reply rate_limit(std::string_view retry_delay,
                                                 std::string_view quota_id = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
    /// The 429 that tells the delay in its message only: "Please retry in 12.3s."
    [[nodiscard]] static gemini_reply rate_limit_in_text(std::string_view retry_delay);
    /// The 429 of a quota that is over for the day.
    [[nodiscard]] static gemini_reply daily_quota();
    /// The 503 of a busy service.
    [[nodiscard]] static gemini_reply overloaded();
    /// An error page of the front end.
    [[nodiscard]] static gemini_reply html_error(int status = 502);
    /// HTTP 200 with this body, whatever it is; a stream has it as its one event.
    [[nodiscard]] static gemini_reply document(json body);
    /// The events of a stream, word for word. A request without streaming gets the last one.
    [[nodiscard]] static gemini_reply documents(std::vector<json> events);
    /// Any status, headers and body, whatever was asked.
    [[nodiscard]] static gemini_reply http(int status, std::vector<http_header> headers, std::string body);
    /// These bytes instead of an HTTP message; then the connection is closed.
    [[nodiscard]] static gemini_reply raw(std::string bytes);
    /// No answer at all, and the connection stays open.
    [[nodiscard]] static gemini_reply hang();
    /// No answer; the connection is reset.
    [[nodiscard]] static gemini_reply reset();

    // What is said.
    /// A thought summary comes first.
    [[nodiscard]] gemini_reply thinking(std::string_view summary) &&;
    /// One more part behind the others, in a chunk of its own: `{}`, `{"thoughtSignature": ...}`, more text.
    [[nodiscard]] gemini_reply and_part(json part) &&;
    [[nodiscard]] gemini_reply finishing(std::string_view reason, std::string_view message = {}) &&;
    /// A stream that ends as if it were cut.
    [[nodiscard]] gemini_reply without_finish() &&;
    /// As old models do.
    [[nodiscard]] gemini_reply finish_on_every_chunk() &&;
    [[nodiscard]] gemini_reply chunk_per_part() &&;
    [[nodiscard]] gemini_reply last_chunk(gemini_last_chunk how) &&;
    /// Members that no document lists, in every place where the service may add some.
    [[nodiscard]] gemini_reply with_unknown_members() &&;
    [[nodiscard]] gemini_reply without_candidates() &&;
    /// `usageMetadata` of the last chunk; null leaves it out everywhere.
    [[nodiscard]] gemini_reply usage(json counts) &&;

    // How a stream is written. `then_error` and `then_bare_error` end it with an error, as an event or as a JSON object without `data:`;
    // a request without streaming gets the error with its own status.
    [[nodiscard]] gemini_reply then_error(int code, std::string_view status, std::string_view message) &&;
    [[nodiscard]] gemini_reply then_bare_error(int code, std::string_view status, std::string_view message) &&;
    /// The end of a line: "\r\n" unless said otherwise, "\n" or "\r".
    [[nodiscard]] gemini_reply line_end(std::string_view end) &&;
    [[nodiscard]] gemini_reply without_last_blank_line() &&;
    /// Waits between the events.
    [[nodiscard]] gemini_reply chunk_pause(duration pause) &&;

    // Where and how it travels.
    /// Answers requests of this method only. Otherwise a reply answers `generate` and `stream`; the other methods are answered by the
    /// emulator itself.
    [[nodiscard]] gemini_reply only_for(gemini_method method) &&;
    /// Sets a header of the response: `.header("Content-Type", "text/event-stream")`.
    [[nodiscard]] gemini_reply header(std::string_view name, std::string_view value) &&;
    /// The body of an error or of a single document as the one element of an array.
    [[nodiscard]] gemini_reply in_array() &&;
    /// The JSON body with that many blanks in it, which are made while they are sent: for answers of gigabytes.
    [[nodiscard]] gemini_reply padded_by(std::size_t blanks) &&;
    /// Waits before the first byte.
    [[nodiscard]] gemini_reply after(duration delay) &&;
    /// Sends `bytes` at a time with a pause in between.
    [[nodiscard]] gemini_reply dripping(std::size_t bytes, duration pause) &&;
    /// One byte for each write to the network, without a pause.
    [[nodiscard]] gemini_reply byte_by_byte() &&;
    /// Sends the head and this much of the body, then closes (or resets) the connection.
    [[nodiscard]] gemini_reply cut_after(std::size_t body_bytes) &&;
    [[nodiscard]] gemini_reply reset_after(std::size_t body_bytes) &&;
    /// Sends the head and this much of the body, then nothing more, and keeps the connection open.
    [[nodiscard]] gemini_reply stall_after(std::size_t body_bytes) &&;
    /// Closes the connection after the reply without having said so.
    [[nodiscard]] gemini_reply then_close() &&;

private:
    friend class gemini_emulator;
    friend class gemini_renderer;
    enum class form : unsigned char { content, documents, error, body, raw };
    enum class ending : unsigned char { keep, close, reset, hang };
    struct late_error {
        int code = 0;
        json body = {};
        bool bare = false;
    };

    form form_ = form::content;
    std::optional<gemini_method> only_for_ = {};
    std::vector<json> steps_ = {};  ///< of content: the parts of each chunk
    std::optional<std::string> finish_reason_ = "STOP";
    std::string finish_message_ = {};
    json prompt_feedback_ = {};
    gemini_last_chunk last_chunk_ = gemini_last_chunk::with_content;
    bool finish_on_every_chunk_ = false;
    bool chunk_per_part_ = false;
    bool unknown_members_ = false;
    bool without_candidates_ = false;
    std::optional<json> usage_ = {};

    std::vector<json> documents_ = {};  ///< of documents, and the one of an error
    std::optional<late_error> late_error_ = {};
    std::string line_end_ = "\r\n";
    bool last_blank_line_ = true;
    bool in_array_ = false;

    int status_ = 200;
    std::vector<http_header> headers_ = {};
    std::string body_ = {};  ///< of body and raw
    std::size_t blanks_ = 0;
    duration delay_ = {};
    std::size_t piece_ = 0;
    duration pause_ = {};
    std::size_t body_limit_ = static_cast<std::size_t>(-1);
    ending then_ = ending::keep;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
