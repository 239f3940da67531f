// The only file with cpp-httplib in it, which formats the request, takes the body out of its chunks and decompresses it. The connection
// below it is ours: httplib's own cannot be interrupted while it connects or shakes hands, and has no limit of time for a whole exchange.
#include "net/http_connection.hpp"

#include "net/exchange_stream.hpp"
#include "net/httplib_shim.hpp"

#include <pyaichat/config/version.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::net {

namespace {

constexpr std::size_t addresses_tried = 4;
constexpr auto longest_connect = std::chrono::seconds(3);  ///< to an address that is not the last one
constexpr auto longest_refusal = std::chrono::seconds(1);  ///< for the text of a refusal, which is known by its status already

failure broken(std::string message, std::string hint) {
    return {.code = errc::connection_failed, .message = std::move(message), .hint = std::move(hint)};
}

/// httplib's part that speaks HTTP, without the part that owns a socket.
struct http_codec : httplib::ClientImpl {
    using ClientImpl::ClientImpl;
    using ClientImpl::process_request;
};

}  // namespace

struct http_connection::state {
    http_route route;
    http_codec codec;
    tcp_socket socket;
    std::unique_ptr<tls_session> session;  ///< above the socket, for https
    bool usable = false;                   ///< open, and the last response came whole

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
        // A dead address must not use up the time of the ones behind it.
        const result<void> connected =
            socket.connect(address, port, last ? deadline : now + std::min((deadline - now) / 2, {longest_connect}));
        if (connected) {
            return {};
        }
        if (last || !socket.in_time()) {
            const std::string& why = connected.error().message;
            return broken(
                "no connection to " + (route.via ? "the proxy " + route.via->name() : name()) + " at " + address + " (" + why + ")",
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
    if (route.security) {
        result<std::unique_ptr<tls_session>> session = tls_session::open(route.security, state_->socket, route.origin.host, state_->name());
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
    const bool usual_port = route.origin.port == (route.security ? 443 : 80);
    const std::string authority = route.origin.authority();
    unless_given("Host", usual_port ? authority.substr(0, authority.rfind(':')) : authority);
    unless_given("User-Agent", std::string("pyaichat/") + PYAICHAT_VERSION_STRING);
    // A compressor on the way would hold back the pieces of a stream.
    unless_given("Accept-Encoding", streamed ? "identity" : accepted_encodings());
    return wire;
}

http_connection::outcome http_connection::exchange(const http_request& request, const std::string& target, const http_body_sink* sink,
                                                   time_point deadline) {
    state_->usable = false;  // until the response has come whole
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
    httplib::Response essence;
    httplib::Error error = httplib::Error::Success;
    std::string thrown;
    const bool decoded = guarded([&] { return state_->codec.process_request(wire, formatted, essence, false, error); },
                                 [&](std::string_view text) {
                                     thrown = text;
                                     return false;
                                 });
    if (!thrown.empty()) {
        return {failure{.code = errc::internal, .message = "the exchange with " + state_->name() + " threw: " + thrown}, true};
    }
    if (stopped) {
        return {failure{.code = errc::cancelled, .message = "the receiver of the response wanted no more of it"}, true};
    }
    // A refusal is known by its status, whatever becomes of its text.
    const bool refused = wire.responded() && wire.head().status() / 100 != 2;
    if (too_large && !refused) {
        return {failure{.code = errc::too_large,
                        .message = "the response of " + state_->name() + " is larger than " + std::to_string(request.max_response_bytes) +
                                   " bytes",
                        .hint = "The service's answer was too large."},
                true};
    }
    const bool whole = decoded && wire.complete();
    if (!whole && !refused) {
        return {state_->explain(wire, received), wire.answered()};
    }
    response.status = wire.head().status();
    state_->usable = whole && wire.head().keeps_connection() && wire.clean();
    response.headers = wire.take_headers();
    return {std::move(response), true, whole};
}

failure http_connection::state::explain(const exchange_stream& wire, std::size_t received) const {
    switch (wire.what_went_wrong()) {
        case exchange_stream::trouble::oversized_head:
            return {.code = errc::too_large,
                    .message = "the head of the response of " + name() + " is too large",
                    .hint = "The service's answer was too large."};
        case exchange_stream::trouble::no_http:
            return broken(name() + " sent something that is no HTTP response", "The service gave an answer that is no HTTP.");
        case exchange_stream::trouble::broken_framing:
            return broken(
                "the chunks of the response of " + name() + " are malformed after " + std::to_string(received) + " bytes of its body",
                "The service gave an answer that is no HTTP.");
        case exchange_stream::trouble::none: break;
    }
    if (wire.complete()) {
        return broken("the response of " + name() + " cannot be decompressed", "The service gave an answer that cannot be unpacked.");
    }
    return wire.responded() ? broken("the response of " + name() + " broke off after " + std::to_string(received) + " bytes of its body",
                                     "The service's answer broke off.")
                            : broken(name() + " closed the connection before a response had begun",
                                     "The service closed the connection without an answer.");
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
