#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline v0::testing {

/// A function call as the emulated model makes it. An empty `id` is left out, as models before Gemini 3 do.
struct gemini_call {
    std::string id = {};
    std::string name = {};
    json args = json::object();
};

/// One scripted reply of the emulator: what is said, and what goes wrong on the way.
///
///     gemini_reply::text("Hello.")
///     gemini_reply::calls({{"fc-1", "get_type", args}}, "c2lnbmF0dXJl")
///     gemini_reply::error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.").after(20ms)
class gemini_reply {
public:
    /// A final text, with finish reason `STOP`.
    [[nodiscard]] static gemini_reply text(std::string_view words, std::string_view signature = {});
    /// Function calls in this order; the signature goes to the first one.
    [[nodiscard]] static gemini_reply calls(const std::vector<gemini_call>& wanted, std::string_view signature = {});
    /// One candidate of these parts.
    [[nodiscard]] static gemini_reply parts(json model_parts, std::string_view finish_reason = "STOP");
    /// One candidate without content: `MALFORMED_FUNCTION_CALL`, `SAFETY`, ...
    [[nodiscard]] static gemini_reply finish(std::string_view finish_reason, std::string_view finish_message = {});
    /// HTTP 200 with `promptFeedback` only.
    [[nodiscard]] static gemini_reply prompt_block(std::string_view block_reason);
    /// An error with a `google.rpc.Status` body.
    [[nodiscard]] static gemini_reply error(int code, std::string_view status, std::string_view message, json details = json::array());
    /// The 429 of a rate limit, with `RetryInfo` when `retry_delay` ("56s") is not empty, and with this `quotaId`.
    [[nodiscard]] static gemini_reply rate_limit(std::string_view retry_delay,
                                                 std::string_view quota_id = "GenerateRequestsPerMinutePerProjectPerModel-FreeTier");
    /// HTTP 200 with this body, whatever it is.
    [[nodiscard]] static gemini_reply document(const json& body);
    /// Any status, headers and body.
    [[nodiscard]] static gemini_reply http(int status, std::vector<http_header> headers, std::string body);
    /// These bytes instead of an HTTP message; then the connection is closed.
    [[nodiscard]] static gemini_reply raw(std::string bytes);
    /// No answer at all, and the connection stays open.
    [[nodiscard]] static gemini_reply hang();
    /// No answer; the connection is reset.
    [[nodiscard]] static gemini_reply reset();

    /// Waits before the first byte.
    [[nodiscard]] gemini_reply after(duration delay) &&;
    /// Sends `bytes` at a time with a pause in between.
    [[nodiscard]] gemini_reply dripping(std::size_t bytes, duration pause) &&;
    /// Sends the head and this much of the body, then closes (or resets) the connection.
    [[nodiscard]] gemini_reply cut_after(std::size_t body_bytes) &&;
    [[nodiscard]] gemini_reply reset_after(std::size_t body_bytes) &&;
    /// Sends the head and this much of the body, then nothing more, and keeps the connection open.
    [[nodiscard]] gemini_reply stall_after(std::size_t body_bytes) &&;
    /// Closes the connection after the reply without having said so.
    [[nodiscard]] gemini_reply then_close() &&;

private:
    friend class gemini_emulator;
    enum class ending : unsigned char { keep, close, reset, hang };

    int status_ = 200;
    std::vector<http_header> headers_ = {{"Content-Type", "application/json; charset=UTF-8"}};
    std::string body_ = {};
    bool raw_ = false;
    duration delay_ = {};
    std::size_t piece_ = 0;
    duration pause_ = {};
    std::size_t body_limit_ = static_cast<std::size_t>(-1);
    ending then_ = ending::keep;
};

}  // namespace pyaichat::inline v0::testing
