#include "net/model_exchange.hpp"

#include "net/service_access.hpp"
#include "provider/check_calls.hpp"

#include <algorithm>
#include <string>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

failure attempt_threw(std::string_view what) {
    return {.code = errc::internal, .message = "the attempt threw: " + std::string(what)};
}

}  // namespace

duration rest_of(duration timeout, std::chrono::steady_clock::time_point begin) {
    return timeout == duration::max() ? timeout : std::max(timeout - (std::chrono::steady_clock::now() - begin), duration::zero());
}

model_exchange::model_exchange(attempt_setup asked, std::string_view secret) : asked_(std::move(asked)), secret_(secret) {
    const auto now = std::chrono::steady_clock::now();
    if (asked_.request.time_left < std::chrono::steady_clock::time_point::max() - now) {
        deadline_ = now + asked_.request.time_left;
    }
}

json_budget model_exchange::budget() const {
    return {.interrupted = [cancel = asked_.cancel, deadline = deadline_]() -> std::optional<failure> {
        if (cancel.stop_requested()) {
            return failure{.code = errc::cancelled, .message = "cancelled while the response was parsed"};
        }
        if (deadline && std::chrono::steady_clock::now() >= *deadline) {
            return failure{.code = errc::timeout,
                           .message = "the time was over before the response was parsed",
                           .hint = "The service did not answer in time."};
        }
        return std::nullopt;
    }};
}

result<http_request> model_exchange::request() {
    result<http_request> made =
        guarded([&] { return encode(); }, [](std::string_view what) { return result<http_request>(attempt_threw(what)); });
    if (!made) {
        failed_ = made.error();
    }
    return made;
}

bool model_exchange::take(std::string_view piece) {
    stopped_ = !guarded([&] { return feed(piece); },
                        [&](std::string_view what) {
                            failed_ = attempt_threw(what);
                            return false;
                        });
    return !stopped_;
}

result<model_response> model_exchange::read(result<http_response> outcome) {
    if (failed_) {
        return redacted(*failed_, secret_);
    }
    if (!outcome && !stopped_) {
        return without_connection(std::move(outcome.error()), secret_);
    }
    const bool refused = outcome && outcome->status != 200;
    result<model_response> response = refused ? refusal(*outcome) : streams() ? end() : decode(outcome->body);
    if (!response) {
        if (corrects(response.error())) {
            corrected_ = redacted(response.error(), secret_);
            return failure{
                .code = errc::unavailable, .message = corrected_->message, .hint = corrected_->hint, .retry_after = duration::zero()};
        }
        return redacted(std::move(response.error()), secret_);
    }
    detail::check_calls(*response, asked().declarations);
    for (candidate& one : response->candidates) {
        one.finish_text = redact(std::move(one.finish_text), secret_);
        one.finish_message = redact(std::move(one.finish_message), secret_);
    }
    if (response->prompt_block) {
        response->prompt_block = redact(*std::move(response->prompt_block), secret_);
    }
    return response;
}

void model_exchange::finish(result<http_response> outcome) {
    result<model_response> response = guarded([&] { return read(std::move(outcome)); },
                                              [](std::string_view what) { return result<model_response>(attempt_threw(what)); });
    // The attempt has its outcome: an exception of the receiver changes nothing.
    guarded([&] { asked_.reply(std::move(response)); }, [](std::string_view) {});
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
