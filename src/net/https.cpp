#include <pyaichat/net/https.hpp>

#include <pyaichat/core/env.hpp>
#include <pyaichat/core/text.hpp>

#include "net/http_connection.hpp"
#include "net/resolver.hpp"
#include "net/system.hpp"

#include <algorithm>
#include <chrono>
#include <map>
#include <memory>
#include <mutex>
#include <stop_token>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

using std::chrono::steady_clock;

std::string variable(const char* upper, const char* lower) {
    std::string value = env(lower);
    return value.empty() ? env(upper) : value;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return detail::is_digit(c) || detail::is_letter(c) || std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

/// Rejects values that could inject lines into the request.
result<void> check(const http_request& request, const url& target) {
    if (!is_token(request.method)) {
        return failure{
            .code = errc::invalid_argument, .message = "the HTTP method is not a token", .hint = "Use a method such as GET or POST."};
    }
    for (const http_header& header : request.headers) {
        const bool clean = std::none_of(header.value.begin(), header.value.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
        if (!is_token(header.name) || !clean) {
            return failure{.code = errc::invalid_argument,
                           .message = "the header \"" + (is_token(header.name) ? header.name : std::string("?")) + "\" is malformed",
                           .hint = "Leave control characters out of header names and values."};
        }
    }
    if (target.scheme == "http" && !target.loopback()) {
        return failure{.code = errc::invalid_argument,
                       .message = "http:// is not allowed for " + target.host + ", which is not a loopback address",
                       .hint = "Use https://. Plain http:// is accepted for loopback addresses only."};
    }
    return {};
}

/// A pool of idle connections by origin. Thread-safe.
class connection_pool {
public:
    /// Returns the reusable connection that was used last, or null. The older ones can then expire.
    [[nodiscard]] std::unique_ptr<http_connection> take(const std::string& origin) {
        std::vector<idle_connection> expired;  // closed after the mutex is released
        const std::lock_guard lock(mutex_);
        std::vector<idle_connection>& candidates = idle_[origin];
        while (!candidates.empty()) {
            idle_connection candidate = std::move(candidates.back());
            candidates.pop_back();
            if (std::chrono::steady_clock::now() - candidate.since < idle_for && candidate.connection->reusable()) {
                return std::move(candidate.connection);
            }
            expired.push_back(std::move(candidate));
        }
        return nullptr;
    }

    /// Keeps the connection if it is reusable.
    void give_back(const std::string& origin, std::unique_ptr<http_connection> connection) {
        if (!connection->reusable()) {
            return;
        }
        idle_connection oldest;  // closed after the mutex is released
        const std::lock_guard lock(mutex_);
        std::vector<idle_connection>& connections = idle_[origin];
        if (connections.size() >= idle_per_origin) {
            oldest = std::move(connections.front());
            connections.erase(connections.begin());
        }
        connections.push_back({std::move(connection), std::chrono::steady_clock::now()});
    }

private:
    static constexpr std::size_t idle_per_origin = 8;
    static constexpr auto idle_for = std::chrono::seconds(60);  // services close idle connections after a few minutes

    struct idle_connection {
        std::unique_ptr<http_connection> connection;
        std::chrono::steady_clock::time_point since;
    };

    std::mutex mutex_;
    std::map<std::string, std::vector<idle_connection>> idle_;
};

}  // namespace

struct https_transport::state {
    std::string ca_file;
    std::string proxy;
    std::string no_proxy;
    net::resolver resolver{&lookup_addresses};
    connection_pool pool;
    std::mutex mutex;
    tls_context tls;  ///< loaded on first use

    [[nodiscard]] result<http_response> perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel);

private:
    [[nodiscard]] result<http_route> route_to(const url& origin);
    [[nodiscard]] result<std::vector<std::string>> addresses_of(const std::string& host, steady_clock::time_point deadline,
                                                                const cancel_token& cancel);
};

result<http_route> https_transport::state::route_to(const url& origin) {
    http_route route;
    route.origin = origin;
    if (origin.scheme != "https") {
        return route;
    }
    if (!proxy.empty() && !bypasses_proxy(origin, no_proxy)) {
        result<net::proxy> via = parse_proxy(proxy);
        if (!via) {
            return std::move(via).error();
        }
        route.via = std::move(*via);
    }
    const std::lock_guard lock(mutex);
    if (tls == nullptr) {
        result<tls_context> loaded = load_tls_context(ca_file);
        if (!loaded) {
            return std::move(loaded).error();
        }
        tls = std::move(*loaded);
    }
    route.tls = tls;
    return route;
}

result<std::vector<std::string>> https_transport::state::addresses_of(const std::string& host, steady_clock::time_point deadline,
                                                                      const cancel_token& cancel) {
    if (host == "localhost") {
        return std::vector<std::string>{"127.0.0.1", "::1"};  // also if /etc/hosts says otherwise or is missing
    }
    if (is_numeric_address(host)) {
        return std::vector<std::string>{host};
    }
    return resolver.resolve(host, deadline, cancel);
}

result<http_response> https_transport::state::perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) {
    const result<url> target = parse_url(request.url);
    if (!target) {
        return target.error();
    }
    if (const result<void> checked = check(request, *target); !checked) {
        return checked.error();
    }
    const steady_clock::time_point deadline = steady_clock::now() + bounded_wait(request.timeout);
    const std::string origin = target->scheme + "://" + target->authority();
    const auto ended = [&] { return cancel.stop_requested() || steady_clock::now() >= deadline; };
    // An interrupted operation fails with any error: report the cause of the interruption instead.
    const auto explain = [&](failure error) -> failure {
        if (cancel.stop_requested()) {
            return {.code = errc::cancelled, .message = "the request to " + origin + " was cancelled"};
        }
        if (steady_clock::now() >= deadline && error.code != errc::timeout) {
            return {.code = errc::timeout,
                    .message = "no complete response from " + origin + " within " + describe(request.timeout),
                    .hint = "The service did not answer in time."};
        }
        return error;
    };
    const auto finish = [&](http_connection::outcome outcome, std::unique_ptr<http_connection> used) -> result<http_response> {
        if (!outcome.response) {
            return explain(std::move(outcome.response).error());
        }
        if (!outcome.complete && cancel.stop_requested()) {
            return explain({});
        }
        pool.give_back(origin, std::move(used));
        return std::move(outcome.response);
    };
    if (ended()) {
        return explain({});
    }

    if (std::unique_ptr<http_connection> pooled = pool.take(origin)) {
        http_connection::outcome outcome = [&] {
            const std::stop_callback wake(cancel, [&] { pooled->interrupt(); });
            return pooled->exchange(request, target->target, sink, deadline);
        }();
        // The server may have closed the connection before the request arrived, or after it acted on the request. Only a repeatable
        // request is sent again.
        const bool repeatable = request.repeatable || request.method == "GET" || request.method == "HEAD";
        if (outcome.response || outcome.received_any || !repeatable || ended()) {
            return finish(std::move(outcome), std::move(pooled));
        }
    }

    result<http_route> route = route_to(*target);
    if (!route) {
        return explain(std::move(route).error());
    }
    const result<std::vector<std::string>> addresses = addresses_of(route->via ? route->via->host : target->host, deadline, cancel);
    if (!addresses) {
        return explain(addresses.error());
    }
    auto fresh = std::make_unique<http_connection>(std::move(*route));
    http_connection::outcome outcome = [&]() -> http_connection::outcome {
        const std::stop_callback wake(cancel, [&] { fresh->interrupt(); });
        if (const result<void> opened = fresh->open(*addresses, deadline); !opened) {
            return {opened.error()};
        }
        return fresh->exchange(request, target->target, sink, deadline);
    }();
    return finish(std::move(outcome), std::move(fresh));
}

https_transport::https_transport(https_options options) : state_(std::make_shared<state>()) {
    state_->ca_file = std::move(options.ca_file);
    state_->proxy = options.proxy ? std::move(*options.proxy) : variable("HTTPS_PROXY", "https_proxy");
    state_->no_proxy = options.no_proxy ? std::move(*options.no_proxy) : variable("NO_PROXY", "no_proxy");
}
https_transport::https_transport(https_transport&&) noexcept = default;
https_transport& https_transport::operator=(https_transport&&) noexcept = default;
https_transport::~https_transport() = default;

result<http_response> https_transport::send(const http_request& request, const cancel_token& cancel) {
    return state_->perform(request, nullptr, cancel);
}

result<http_response> https_transport::stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    return state_->perform(request, &sink, cancel);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
