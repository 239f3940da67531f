// The only file that uses cpp-httplib, which formats the request and decompresses the body. The connection is our own: httplib's cannot be
// interrupted during connect and handshake, and has no deadline for a complete exchange.
#include "net/http_connection.hpp"

#include "net/exchange_stream.hpp"
#include "net/httplib_shim.hpp"

#include <pyaichat/config/version.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr std::size_t addresses_tried = 4;
constexpr auto longest_connect = std::chrono::seconds(3);  ///< to any address but the last
constexpr auto longest_refusal = std::chrono::seconds(1);  ///< for the body of an error response

/// Opens httplib's protected function that performs an exchange on a given stream.
struct http_codec : httplib::ClientImpl {
    using ClientImpl::ClientImpl;
    using ClientImpl::process_request;
};

}  // namespace

struct http_connection::state {
    http_route route;
    http_codec codec;
    tcp_socket socket;
    std::unique_ptr<tls_session> session;  ///< for https
    bool usable = false;                   ///< open, and the last response was complete

    explicit state(http_route to) : route(std::move(to)), codec(route.origin.host, route.origin.port) {
        codec.set_url_encode(false);  // the URL is encoded already
    }

    [[nodiscard]] byte_stream& stream() { return session ? static_cast<byte_stream&>(*session) : socket; }
    [[nodiscard]] std::string name() const { return route.origin.host + ":" + std::to_string(route.origin.port); }
    [[nodiscard]] result<void> connect(const std::vector<std::string>& addresses, time_point deadline);
    [[nodiscard]] httplib::Request format(const http_request& request, const std::string& target, bool streamed) const;
    [[nodiscard]] failure explain(const exchange_stream& wire, std::size_t received) const;
};

http_connection::http_connection(http_route route) : state_(std::make_unique<state>(std::move(route))) {}
http_connection::~http_connection() = default;

void http_connection::interrupt() noexcept {
    state_->socket.interrupt();
}

bool http_connection::reusable() const {
    return state_->usable && state_->stream().idle();
}

result<void> http_connection::state::connect(const std::vector<std::string>& addresses, time_point deadline) {
    const int port = route.via ? route.via->port : route.origin.port;
    const std::size_t count = std::min(addresses.size(), addresses_tried);
    for (std::size_t index = 0;; ++index) {
        const std::string& address = addresses[index];
        const bool last = index + 1 == count;
        const auto now = std::chrono::steady_clock::now();
        // A dead address must not use up the time of the next ones.
        const result<void> connected =
            socket.connect(address, port, last ? deadline : now + std::min((deadline - now) / 2, {longest_connect}));
        if (connected) {
            return {};
        }
        if (last || !socket.in_time()) {
            const std::string& why = connected.error().message;
            return connection_failure(
                "could not connect to " + (route.via ? "the proxy " + route.via->name() : name()) + " at " + address + " (" + why + ")",
                "The service could not be reached (" + (route.via ? "the proxy " + route.via->name() + ": " : "") + why + ").");
        }
    }
}

result<void> http_connection::open(const std::vector<std::string>& addresses, time_point deadline) {
    state_->socket.wait_until(deadline);
    if (result<void> connected = state_->connect(addresses, deadline); !connected) {
        return connected;
    }
    const http_route& route = state_->route;
    if (route.via) {
        if (result<void> tunnel = open_tunnel(state_->socket, *route.via, route.origin); !tunnel) {
            return tunnel;
        }
    }
    if (route.tls) {
        result<std::unique_ptr<tls_session>> session = tls_session::open(route.tls, state_->socket, route.origin.host, state_->name());
        if (!session) {
            return std::move(session).error();
        }
        state_->session = std::move(*session);
    }
    state_->usable = true;
    return {};
}

httplib::Request http_connection::state::format(const http_request& request, const std::string& target, bool streamed) const {
    httplib::Request wire;
    wire.method = request.method;
    wire.path = target;
    wire.body = request.body;
    for (const http_header& header : request.headers) {
        wire.headers.emplace(header.name, header.value);
    }
    const auto unless_given = [&](const char* header, std::string value) {
        if (wire.headers.find(header) == wire.headers.end()) {
            wire.headers.emplace(header, std::move(value));
        }
    };
    const bool usual_port = route.origin.port == (route.tls ? 443 : 80);
    const std::string authority = route.origin.authority();
    unless_given("Host", usual_port ? authority.substr(0, authority.rfind(':')) : authority);
    unless_given("User-Agent", std::string("pyaichat/") + PYAICHAT_VERSION_STRING);
    // Compression would delay the pieces of a stream.
    unless_given("Accept-Encoding", streamed ? "identity" : accepted_encodings());
    return wire;
}

http_connection::outcome http_connection::exchange(const http_request& request, const std::string& target, const http_body_sink* sink,
                                                   time_point deadline) {
    state_->usable = false;  // until the response is complete
    state_->socket.wait_until(deadline);
    exchange_stream wire(state_->stream(), request.method != "HEAD");
    http_response response;
    std::size_t received = 0;
    bool too_large = false;
    bool stopped = false;
    httplib::Request formatted = state_->format(request, target, sink != nullptr);
    formatted.response_handler = [&](const httplib::Response&) {
        if (wire.head().status() / 100 != 2) {
            state_->socket.wait_until(std::min(deadline, std::chrono::steady_clock::now() + longest_refusal));
        }
        return true;
    };
    formatted.content_receiver = [&](const char* data, std::size_t size, auto, auto) {
        too_large = size > request.max_response_bytes - received;
        if (too_large) {
            return false;
        }
        received += size;
        if (sink == nullptr || wire.head().status() / 100 != 2) {
            response.body.append(data, size);
        } else if (size > 0) {
            stopped = !(*sink)({data, size});
        }
        return !stopped;
    };
    httplib::Response decoded_response;
    httplib::Error error = httplib::Error::Success;
    std::string thrown;
    const bool decoded = guarded([&] { return state_->codec.process_request(wire, formatted, decoded_response, false, error); },
                                 [&](std::string_view text) {
                                     thrown = text;
                                     return false;
                                 });
    if (!thrown.empty()) {
        return {failure{.code = errc::internal, .message = "the exchange with " + state_->name() + " threw: " + thrown}, true};
    }
    if (stopped) {
        return {failure{.code = errc::cancelled, .message = "the receiver stopped the response"}, true};
    }
    // An error response is returned even if its body is cut.
    const bool is_error = wire.has_head() && wire.head().status() / 100 != 2;
    if (too_large && !is_error) {
        return {failure{.code = errc::too_large,
                        .message = "the response from " + state_->name() + " is larger than " + std::to_string(request.max_response_bytes) +
                                   " bytes",
                        .hint = "The service's response was too large."},
                true};
    }
    const bool complete = decoded && wire.complete();
    if (!complete && !is_error) {
        return {state_->explain(wire, received), wire.received_any()};
    }
    response.status = wire.head().status();
    state_->usable = complete && wire.head().keeps_connection() && wire.clean();
    response.headers = wire.take_headers();
    return {std::move(response), true, complete};
}

failure http_connection::state::explain(const exchange_stream& wire, std::size_t received) const {
    switch (wire.error()) {
        case exchange_stream::fault::head_too_large:
            return {.code = errc::too_large,
                    .message = "the head of the response from " + name() + " is too large",
                    .hint = "The service's response was too large."};
        case exchange_stream::fault::not_http:
            return connection_failure("the response from " + name() + " is not valid HTTP (bad head)",
                                      "The service sent a response that is not valid HTTP.");
        case exchange_stream::fault::bad_framing:
            return connection_failure(
                "the response from " + name() + " is not valid HTTP (bad chunk after " + std::to_string(received) + " bytes of its body)",
                "The service sent a response that is not valid HTTP.");
        case exchange_stream::fault::none: break;
    }
    if (wire.complete()) {
        return connection_failure("the response from " + name() + " cannot be decompressed",
                                  "The service sent a response that cannot be decompressed.");
    }
    return wire.has_head()
               ? connection_failure("the response from " + name() + " was cut off after " + std::to_string(received) + " bytes of its body",
                                    "The service's response was cut off.")
               : connection_failure(name() + " closed the connection without a response",
                                    "The service closed the connection without a response.");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
