#pragma once
#include <pyaichat/core/json.hpp>
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/policy/async_model_provider.hpp>

#include <chrono>
#include <optional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

/// The arguments of an attempt: see `async_model_provider`.
struct attempt_setup {
    model_request request = {};
    delta_sink sink = {};
    cancel_token cancel = {};
    model_reply reply = {};
};

/// One attempt of a provider, as a transport runs it: encodes the request, reads the response, and replies. The derived classes know the
/// services. None holds a transport, because the thread of a transport destroys its exchanges and must not destroy the transport.
class model_exchange : public http_exchange {
public:
    /// Calls `encode`. If it throws, the attempt fails with `internal`, as after each exception in an attempt.
    result<http_request> request() final;
    bool take(std::string_view piece) final;
    /// Decodes the outcome, checks the calls in it, removes the secret from its texts and replies.
    void finish(result<http_response> outcome) final;

    /// Returns the refusal by the service after which a changed request may succeed: the reply was then a failure that asks for a retry.
    [[nodiscard]] const std::optional<failure>& corrected() const noexcept { return corrected_; }

protected:
    /// `secret` appears in no reply. It must outlive the exchange.
    model_exchange(attempt_setup asked, std::string_view secret);

    [[nodiscard]] const model_request& asked() const noexcept { return asked_.request; }
    [[nodiscard]] const delta_sink& sink() const noexcept { return asked_.sink; }
    /// Returns a budget for the documents of the response, which ends with the attempt's time and with its cancellation.
    [[nodiscard]] json_budget budget() const;

private:
    /// Makes the request.
    [[nodiscard]] virtual result<http_request> encode() = 0;
    /// Takes the next piece of a streamed response. Returns false after a failure, which `end` returns.
    [[nodiscard]] virtual bool feed(std::string_view piece) = 0;
    /// Ends a streamed response.
    [[nodiscard]] virtual result<model_response> end() = 0;
    /// Decodes the body of a whole response.
    [[nodiscard]] virtual result<model_response> decode(std::string_view body) = 0;
    /// Converts a response with an error status.
    [[nodiscard]] virtual result<model_response> refusal(const http_response& response) = 0;
    /// Returns whether the next attempt makes another request, which the service may accept after this failure.
    [[nodiscard]] virtual bool corrects(const failure&) { return false; }

    [[nodiscard]] result<model_response> read(result<http_response> outcome);

    attempt_setup asked_;
    std::string_view secret_;
    std::optional<std::chrono::steady_clock::time_point> deadline_ = {};
    std::optional<failure> failed_ = {};  ///< before there was an outcome
    std::optional<failure> corrected_ = {};
    bool stopped_ = false;  ///< by `feed`
};

/// Returns the rest of a timeout that began at `begin`.
[[nodiscard]] duration rest_of(duration timeout, std::chrono::steady_clock::time_point begin);

/// Makes an attempt and blocks until it has an outcome. `make` returns the exchange of a `attempt_setup`. If the service refuses a request
/// that can be corrected, sends one more.
template <class Make>
[[nodiscard]] result<model_response> perform(const any_http_transport& transport, const model_request& request, const delta_sink& sink,
                                             const cancel_token& cancel, Make make) {
    const auto begin = std::chrono::steady_clock::now();
    result<model_response> outcome = failure();
    const auto attempt = [&](duration time_left) {
        model_request timed = request;
        timed.time_left = time_left;
        model_reply reply([&outcome](result<model_response> replied) { outcome = std::move(replied); });
        auto exchange = make(attempt_setup{.request = std::move(timed), .sink = sink, .cancel = cancel, .reply = std::move(reply)});
        transport.perform(exchange, cancel);
        return exchange.corrected();
    };
    if (attempt(request.time_left)) {
        if (std::optional<failure> again = attempt(rest_of(request.time_left, begin))) {
            return *std::move(again);
        }
    }
    return outcome;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
