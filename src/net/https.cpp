#include <pyaichat/net/https.hpp>

#include <pyaichat/core/env.hpp>

#include "net/connection_pool.hpp"
#include "net/resolver.hpp"
#include "net/system.hpp"

#include <algorithm>
#include <mutex>
#include <optional>
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
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

/// Nothing that the caller passes may end a line of the request early.
result<void> check(const http_request& request, const url& target) {
    if (!is_token(request.method)) {
        return failure{.code = errc::invalid_argument, .message = "the method is no token", .hint = "Use a method such as GET or POST."};
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
                       .message = "http:// to " + target.host + ", which is not this machine",
                       .hint = "Use https://. Plain http:// is accepted for loopback addresses only."};
    }
    return {};
}

}  // namespace

struct https_transport::state {
    std::string ca_file;
    std::string proxy;
    std::string no_proxy;
    resolver names{&lookup_addresses};
    connection_pool pool;
    std::mutex mutex;
    std::shared_ptr<const tls_context> security;  ///< made when it is first needed

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
    if (!proxy.empty() && !reached_directly(origin, no_proxy)) {
        result<net::proxy> via = parse_proxy(proxy);
        if (!via) {
            return std::move(via).error();
        }
        route.via = std::move(*via);
    }
    const std::lock_guard lock(mutex);
    if (security == nullptr) {
        result<std::shared_ptr<const tls_context>> loaded = tls_context::load(ca_file);
        if (!loaded) {
            return std::move(loaded).error();
        }
        security = std::move(*loaded);
    }
    route.security = security;
    return route;
}

result<std::vector<std::string>> https_transport::state::addresses_of(const std::string& host, steady_clock::time_point deadline,
                                                                      const cancel_token& cancel) {
    if (host == "localhost") {
        return std::vector<std::string>{"127.0.0.1", "::1"};  // whatever the system's tables say, or when it has none
    }
    if (is_numeric_address(host)) {
        return std::vector<std::string>{host};
    }
    return names.resolve(host, deadline, cancel);
}

result<http_response> https_transport::state::perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel) {
    const result<url> target = parse_url(request.url);
    if (!target) {
        return target.error();
    }
    if (const result<void> fit = check(request, *target); !fit) {
        return fit.error();
    }
    const steady_clock::time_point deadline = steady_clock::now() + bounded_wait(request.timeout);
    const std::string origin = target->scheme + "://" + target->authority();
    const auto over = [&] { return cancel.stop_requested() || steady_clock::now() >= deadline; };
    // What broke because it was interrupted is told as the reason of the interruption.
    const auto verdict = [&](failure error) -> failure {
        if (cancel.stop_requested()) {
            return {.code = errc::cancelled, .message = "the request to " + origin + " was cancelled"};
        }
        if (steady_clock::now() >= deadline && error.code != errc::timeout) {
            return {.code = errc::timeout,
                    .message = "no complete response of " + origin + " within " + describe(request.timeout),
                    .hint = "The service did not answer in time."};
        }
        return error;
    };
    if (over()) {
        return verdict({});
    }

    if (std::unique_ptr<http_connection> kept = pool.take(origin)) {
        http_connection::outcome outcome = [&] {
            const std::stop_callback wake(cancel, [&] { kept->interrupt(); });
            return kept->exchange(request, target->target, sink, deadline);
        }();
        if (outcome.response && !outcome.whole && cancel.stop_requested()) {
            return verdict({});
        }
        if (outcome.response) {
            pool.give_back(origin, std::move(kept));
            return std::move(outcome.response);
        }
        // The server may have closed the kept connection just before it was used. But it may also have died of the request, so that only
        // what can be done twice is sent again: anything else is left to the caller, who knows.
        const bool harmless = request.repeatable || request.method == "GET" || request.method == "HEAD";
        if (over() || !harmless || outcome.answered) {
            return verdict(std::move(outcome.response).error());
        }
    }

    result<http_route> route = route_to(*target);
    if (!route) {
        return verdict(std::move(route).error());
    }
    const result<std::vector<std::string>> addresses = addresses_of(route->via ? route->via->host : target->host, deadline, cancel);
    if (!addresses) {
        return verdict(addresses.error());
    }
    auto fresh = std::make_unique<http_connection>(std::move(*route));
    http_connection::outcome outcome = [&]() -> http_connection::outcome {
        const std::stop_callback wake(cancel, [&] { fresh->interrupt(); });
        if (const result<void> opened = fresh->open(*addresses, deadline); !opened) {
            return {opened.error()};
        }
        return fresh->exchange(request, target->target, sink, deadline);
    }();
    if (!outcome.response) {
        return verdict(std::move(outcome.response).error());
    }
    if (!outcome.whole && cancel.stop_requested()) {
        return verdict({});
    }
    pool.give_back(origin, std::move(fresh));
    return std::move(outcome.response);
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
