#pragma once
#include <pyaichat/anthropic/anthropic_model_info.hpp>
#include <pyaichat/anthropic/anthropic_options.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/async_model_provider.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// A client for Anthropic's Messages API and for servers with the same interface. Satisfies `model_provider`, and `async_model_provider`
/// over an asynchronous transport.
///
/// Streams by default: the sink receives text and thoughts as they arrive. The arguments of each call are validated against the declared
/// schema (`candidate::checks`). The text of the last 8 conversations (up to 8 MiB each) is cached, so each step of a run encodes only its
/// new messages.
///
/// Thinking blocks are sent back unchanged, unless the instructions, the declarations or an earlier message have changed since the model
/// wrote them: current models refuse such blocks, so they are left out.
///
/// Thread-safe. Copies share their state. A moved-from object must not be used.
/// Fails with `authentication`, `permission_denied`, `unknown_model`, `rate_limited` (with `retry_after` if known), `quota_exhausted` (no
/// credit, or a spending limit), `unavailable`, `request_rejected`, `bad_response`, `too_large` (also a conversation that exceeds the
/// model's context), `invalid_argument` (an option or conversation that the service would refuse), `connection_failed` (also for a stream
/// without a stop reason), or another failure of the transport.
class anthropic {
public:
    /// Uses `https_transport` with `options.https`.
    explicit anthropic(anthropic_options options);
    /// Uses the host's transport, blocking or asynchronous.
    anthropic(anthropic_options options, any_http_transport transport);

    /// Sends one request and blocks until the response is complete, at most for `request.time_left`. Does not retry, except once without
    /// thinking blocks if the service refuses them.
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// Starts one attempt, which goes on in the transport's thread. See `async_model_provider`. If the service refuses thinking
    /// blocks, the attempt fails with `unavailable`, and the next one leaves them out.
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply);
    /// Returns whether the transport is asynchronous.
    [[nodiscard]] bool is_async() const noexcept;
    /// Returns the loop of the transport, or null. See `event_loop`.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const;

    /// Returns whether the service holds an answer to this schema, also in a request with functions: models from Claude 4.5 on do if each
    /// object of the schema is closed (`"additionalProperties": false`), nothing is recursive and no ranges, lengths and patterns are set.
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    /// Requests the description of the configured model (`GET models/{model}`), as a startup check. Blocks at most for `timeout`.
    [[nodiscard]] result<anthropic_model_info> describe_model(duration timeout, const cancel_token& cancel = {});

    /// Lists all models that the key may use (`GET models`, all pages). Blocks at most for `timeout`.
    [[nodiscard]] result<std::vector<anthropic_model_info>> list_models(duration timeout, const cancel_token& cancel = {});

    /// Counts the tokens of a request (`count_tokens`), with instructions and declarations. Blocks at most for `request.time_left`.
    [[nodiscard]] result<std::int64_t> count_tokens(const model_request& request, const cancel_token& cancel = {});

    /// Returns the options that the constructor received.
    [[nodiscard]] const anthropic_options& options() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
