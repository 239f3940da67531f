#include <pyaichat/testing/cassette.hpp>

#include "testing/cassettes/cassette_file.hpp"
#include "testing/cassettes/cassette_secrets.hpp"

#include <mutex>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct cassette_recorder::state {
    std::string path;
    any_http_transport inner;
    std::mutex mutex;
    cassette_secrets secrets;
    std::vector<cassette_exchange> exchanges;

    state(std::string where, const cassette_options& options, any_http_transport transport)
        : path(std::move(where)), inner(std::move(transport)), secrets(options.secrets) {}

    result<void> keep(const http_request& request, const result<http_response>& response, std::string body,
                      std::optional<std::vector<std::size_t>> pieces) {
        if (!response && response.error().code == errc::cancelled) {
            return {};
        }
        const std::lock_guard lock(mutex);
        secrets.learn(request);
        cassette_exchange one;
        one.request.method = request.method;
        one.request.url = secrets.clean(request.url);
        one.request.headers = secrets.clean_request_headers(request.headers);
        one.request.body = secrets.clean(request.body);
        one.response.body = secrets.clean(body, pieces ? &*pieces : nullptr);
        one.pieces = std::move(pieces);
        if (response) {
            one.response.status = response->status;
            one.response.headers = secrets.clean_response_headers(response->headers);
        } else {
            one.failed = response.error();
            one.failed->message = secrets.clean(one.failed->message);
            one.failed->hint = secrets.clean(one.failed->hint);
        }
        exchanges.push_back(std::move(one));
        return save_cassette(path, exchanges);
    }
};

cassette_recorder::cassette_recorder(std::string path, any_http_transport transport, cassette_options options)
    : state_(std::make_shared<state>(std::move(path), options, std::move(transport))) {}

result<http_response> cassette_recorder::send(const http_request& request, const cancel_token& cancel) {
    result<http_response> response = state_->inner.send(request, cancel);
    if (const result<void> kept = state_->keep(request, response, response ? response->body : std::string(), std::nullopt); !kept) {
        return kept.error();
    }
    return response;
}

result<http_response> cassette_recorder::stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    std::string body;
    std::optional<std::vector<std::size_t>> pieces;
    const http_body_sink both = [&](std::string_view piece) {
        if (!pieces) {
            pieces.emplace();
        }
        body += piece;
        pieces->push_back(body.size());
        return sink(piece);
    };
    result<http_response> response = state_->inner.stream(request, both, cancel);
    if (response && !pieces) {
        body = response->body;  // an error response is not streamed
    }
    if (const result<void> kept = state_->keep(request, response, std::move(body), std::move(pieces)); !kept) {
        return kept.error();
    }
    return response;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
