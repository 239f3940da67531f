#pragma once
#include <pyaichat/gemini/gemini_options.hpp>
#include <pyaichat/gemini/model_info.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <cstdint>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Google's Gemini Developer API over HTTPS: native function calling, one attempt per `complete`. Models `model_provider`.
///
/// Streams unless told otherwise: text and thoughts of the first candidate go to the sink as they come, and the response is what the whole
/// answer would have been. The arguments of each call are checked against the declaration that was sent (`candidate::checks`).
/// The last few conversations are remembered as text, 8 of at most 8 MiB, so that a step of a run costs what is new in it.
///
/// Safe to use from several threads; copies share everything. A moved-from one must not be used.
/// Failing: `authentication`, `permission_denied`, `unknown_model`, `rate_limited` and `quota_exhausted` (`retry_after`, when the service
/// says so), `unavailable`, `request_rejected`, `bad_response`, `invalid_argument` (an option or a conversation that the service would
/// refuse), and the transport's. A stream that ends without a finish reason is a `connection_failed`.
class gemini {
public:
    /// Over the library's own HTTPS transport.
    explicit gemini(gemini_options options);
    /// Over the host's transport.
    gemini(gemini_options options, any_http_transport transport);

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel);

    /// `GET models/{model}` of the configured model: the start-up check. Blocks at most `timeout`.
    [[nodiscard]] result<gemini_model_info> describe_model(duration timeout, const cancel_token& cancel = {});

    /// `GET models`: all that the key may use, page by page. Blocks at most `timeout`.
    [[nodiscard]] result<std::vector<gemini_model_info>> list_models(duration timeout, const cancel_token& cancel = {});

    /// `countTokens`: how many tokens the request would be, instructions and declarations included. Blocks at most `request.time_left`.
    [[nodiscard]] result<std::int64_t> count_tokens(const model_request& request, const cancel_token& cancel = {});

    [[nodiscard]] const gemini_options& options() const noexcept;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
