#pragma once
#include <pyaichat/openai/openai_model_info.hpp>
#include <pyaichat/openai/openai_options.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/async_model_provider.hpp>

#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// A client for OpenAI and for services and servers with the same interface, which `openai_options::profile` describes. Satisfies
/// `model_provider`, and `async_model_provider` over an asynchronous transport.
///
/// Streams by default: the sink receives text and reasoning of the first choice as they arrive. The arguments of each call are validated
/// against the declared schema (`candidate::checks`). The text of the last 8 conversations (up to 8 MiB each) is cached, so each step of a
/// run encodes only its new messages.
///
/// Thread-safe. Copies share their state. A moved-from object must not be used.
/// Fails with `authentication`, `permission_denied`, `unknown_model`, `rate_limited` or `quota_exhausted` (with `retry_after` if known),
/// `unavailable`, `request_rejected`, `bad_response`, `too_large` (also a conversation that exceeds the model's context),
/// `invalid_argument` (an option or conversation that the service would refuse), `connection_failed` (also for a stream without a finish
/// reason), or another failure of the transport.
class openai {
public:
    /// Uses `https_transport` with `options.https`.
    explicit openai(openai_options options);
    /// Uses the host's transport, blocking or asynchronous.
    openai(openai_options options, any_http_transport transport);

    /// Sends one request and blocks until the response is complete, at most for `request.time_left`. Does not retry, except once without
    /// reasoning (see `openai_generation::reasoning_effort`).
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// Starts one attempt, which goes on in the transport's thread. See `async_model_provider`. If the model takes functions
    /// only without reasoning, the first attempt fails with `unavailable`, and the next one asks for none.
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply);
    /// Returns whether the transport is asynchronous.
    [[nodiscard]] bool is_async() const noexcept;
    /// Returns the loop of the transport, or null. See `event_loop`.
    [[nodiscard]] std::shared_ptr<event_loop> loop() const;

    /// Returns whether the service holds an answer to this schema, also in a request with functions: OpenAI does if the schema has the
    /// strict form (each object lists all its properties as `required` and allows no others).
    [[nodiscard]] bool takes_answer_schema(const json& schema) const;

    /// Looks up the configured model in the list of models, as a startup check. Blocks at most for `timeout`. Fails with `unknown_model` if
    /// the service does not list it.
    [[nodiscard]] result<openai_model_info> describe_model(duration timeout, const cancel_token& cancel = {});

    /// Lists the models that the key may use (`GET models`). Blocks at most for `timeout`.
    [[nodiscard]] result<std::vector<openai_model_info>> list_models(duration timeout, const cancel_token& cancel = {});

    /// Returns the options that the constructor received.
    [[nodiscard]] const openai_options& options() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
