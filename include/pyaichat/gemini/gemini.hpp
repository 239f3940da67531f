#pragma once
#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/gemini/model_info.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/async_model_provider.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// A client for Google's Gemini Developer API with native function calling. Satisfies `model_provider`, and `async_model_provider` over an
/// asynchronous transport.
///
/// Streams by default: the sink receives text and thoughts of the first candidate as they arrive. The arguments of each call are validated
/// against the declaration that was sent (`candidate::checks`). The text of the last 8 conversations (up to 8 MiB each) is cached, so
/// each step of a run encodes only its new messages.
///
/// Thread-safe. Copies share their state. A moved-from object must not be used.
/// Fails with `authentication`, `permission_denied`, `unknown_model`, `rate_limited` or `quota_exhausted` (with `retry_after` if known),
/// `unavailable`, `request_rejected`, `bad_response`, `too_large`, `invalid_argument` (an option or conversation that the service would
/// refuse), `connection_failed` (also for a stream without a finish reason), or another failure of the transport.
class gemini {
public:
    /// Uses `https_transport` with `options.https`.
    explicit gemini(gemini_options options);
    /// Uses the host's transport, blocking or asynchronous.
    gemini(gemini_options options, any_http_transport transport);

    /// Sends one request and blocks until the response is complete, at most for `request.time_left`. Does not retry.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// Starts one attempt, which goes on in the transport's thread. See `async_model_provider`.
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply);
    /// Returns whether the transport is asynchronous.
    [[nodiscard]] bool is_async() const noexcept;
    /// Returns the loop of the transport, or null. See `event_loop`.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const;

    /// Returns whether the text of an answer can be held to this schema in a request with functions: the model is of Gemini 3 or later,
    /// `tool_mode` is not `validated`, and the service takes the schema without changing its meaning.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    /// Requests the description of the configured model (`GET models/{model}`), as a startup check. Blocks at most for `timeout`.
    [[nodiscard]] result<gemini_model_info> describe_model(duration timeout, const cancel_token& cancel = {});

    /// Lists all models that the key may use (`GET models`, all pages). Blocks at most for `timeout`.
    [[nodiscard]] result<std::vector<gemini_model_info>> list_models(duration timeout, const cancel_token& cancel = {});

    /// Counts the tokens of a request (`countTokens`), with instructions and declarations. Blocks at most for `request.time_left`.
    [[nodiscard]] result<std::int64_t> count_tokens(const model_request& request, const cancel_token& cancel = {});

    /// Returns the options that the constructor received.
    [[nodiscard]] const gemini_options& options() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
