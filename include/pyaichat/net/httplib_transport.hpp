#pragma once
/// An adapter over cpp-httplib 0.11 or later. It is compiled in the host, with the host's copy of the library and the host's macros: no
/// library of the SDK contains or needs it. POSIX. Link `pyaichat::net` and what the host's copy needs.
#include <pyaichat/net/adapter/idle_pool.hpp>
#include <pyaichat/net/adapter/incoming_body.hpp>
#include <pyaichat/net/adapter/name_lookup.hpp>
#include <pyaichat/net/adapter/outgoing_request.hpp>
#include <pyaichat/net/adapter/pipe_signal_guard.hpp>
#include <pyaichat/net/adapter/socket_watch.hpp>
#include <pyaichat/policy/http_transport.hpp>

#include <httplib.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::net {

struct httplib_options {
    std::string ca_file = {};  ///< PEM; empty = the CA certificates that httplib finds
    /// Called for each new client, before it connects: for a proxy, a client certificate, or a CA store. It must leave alone the timeouts,
    /// the socket options, keep-alive, redirects and the map of host names, which belong to the transport. The name of a proxy is looked up
    /// by httplib, and a cancellation waits for that: give an address.
    std::function<void(httplib::ClientImpl&)> configure = {};
};

/// An HTTP client over the host's cpp-httplib. Satisfies `http_transport`. Thread-safe. `https://` needs CPPHTTPLIB_OPENSSL_SUPPORT.
///
/// Cancellations and deadlines end an exchange in every state: a thread of the transport shuts the socket down. Names are looked up on
/// detached threads. SIGPIPE is blocked in the calling thread during the exchange. Each kept connection has a client, and a second
/// descriptor for its socket.
///
/// Limits of the library, which no adapter can lift: the size of the response's head is not limited in versions without
/// CPPHTTPLIB_HEADER_MAX_COUNT, 1xx responses other than 100 and trailer fields are failures in some versions, and the order of response
/// headers is lost. See docs/reference/http_transport.md.
class httplib_transport {
public:
    explicit httplib_transport(httplib_options options = {}) : state_(std::make_unique<state>()) { state_->options = std::move(options); }

    /// See `http_transport`.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel) {
        return state_->perform(request, nullptr, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
        return state_->perform(request, &sink, cancel);
    }

private:
    /// A client of the library with its connection.
    struct client {
        adapter::socket_copy socket;
        std::unique_ptr<httplib::ClientImpl> library;

        client() = default;
        client(const client&) = delete;
        client& operator=(const client&) = delete;
        ~client() {
            const adapter::pipe_signal_guard no_signal;  // it takes leave of a TLS peer that may be gone
            library.reset();
        }
        [[nodiscard]] bool reusable() { return library->is_socket_open() != 0 && socket.idle(); }
    };

    struct outcome {
        result<http_response> response;
        bool responded = false;      ///< a part of the response was received
        bool not_connected = false;  ///< the address does not accept connections
    };

    struct state {
        httplib_options options;
        adapter::name_lookup names;
        adapter::idle_pool<client> pool;
        adapter::socket_watch watch;

        [[nodiscard]] result<http_response> perform(const http_request& request, const http_body_sink* sink, const cancel_token& cancel);
        [[nodiscard]] result<std::unique_ptr<client>> make_client(const url& target, const std::string& address) const;
        [[nodiscard]] outcome exchange(client& with, const http_request& request, const url& target, const http_body_sink* sink,
                                       const adapter::exchange_limits& limits, const cancel_token& cancel,
                                       std::chrono::microseconds connect_timeout);
    };

    static constexpr auto no_timeout = std::chrono::microseconds::max();
    static constexpr std::chrono::microseconds shortest_timeout = std::chrono::milliseconds(1);  ///< zero has other meanings

    static constexpr std::string_view encodings() noexcept {
#ifdef CPPHTTPLIB_ZLIB_SUPPORT
        return "gzip, deflate";
#else
        return "identity";
#endif
    }
    /// Sends targets unchanged. The name of the setting depends on the version.
    template <class Client>
    static void leave_targets_alone(Client& library) {
        if constexpr (requires { library.set_path_encode(false); }) {
            library.set_path_encode(false);
        } else {
            library.set_url_encode(false);
        }
    }
    /// Lifts the limit of the library, which is below the limit of the request in some versions.
    template <class Client>
    static void leave_limit_to_request(Client& library, std::size_t bytes) {
        if constexpr (requires { library.set_payload_max_length(bytes); }) {
            library.set_payload_max_length(bytes);
        }
    }
    /// Returns whether the library decodes a body with this encoding.
    static bool decodes(std::string_view encoding) noexcept {
        return encoding.empty() || encoding == "identity" || (encodings() != "identity" && (encoding == "gzip" || encoding == "deflate"));
    }
    static http_response convert(const httplib::Response& from) {
        http_response response;
        response.status = from.status;
        for (const auto& [name, value] : from.headers) {
            response.headers.push_back({name, value});
        }
        return response;
    }
    static failure explain(httplib::Error error, const std::string& origin, bool responded);

    std::unique_ptr<state> state_;
};

namespace adapter {
/// Newer versions of the library have an error of its own for the name in a certificate.
template <class Error>
[[nodiscard]] bool is_refused_certificate(Error error) noexcept {
    if constexpr (requires { Error::SSLServerHostnameVerification; }) {
        if (error == Error::SSLServerHostnameVerification) {
            return true;
        }
    }
    return error == Error::SSLServerVerification;
}
}  // namespace adapter

inline failure httplib_transport::explain(httplib::Error error, const std::string& origin, bool responded) {
    const auto failed = [](errc code, std::string message, std::string hint) {
        return failure{.code = code, .message = std::move(message), .hint = std::move(hint)};
    };
    switch (error) {
        case httplib::Error::Connection:
        case httplib::Error::ConnectionTimeout:
            return failed(errc::connection_failed, "could not connect to " + origin, "The service could not be reached.");
        case httplib::Error::SSLConnection:
            return failed(errc::connection_failed, "the TLS handshake with " + origin + " failed",
                          "The service did not complete the TLS handshake.");
        case httplib::Error::SSLLoadingCerts:
            return failed(errc::unreachable, "the CA certificates for " + origin + " could not be loaded", "Check the CA file.");
        default:
            if (adapter::is_refused_certificate(error)) {
                return failed(errc::unreachable, "the certificate of " + origin + " was refused",
                              "The certificate of the service is not trusted. Check the address and the CA certificates.");
            }
            return responded ? failed(errc::connection_failed, "the response from " + origin + " was cut off or is not valid HTTP",
                                      "The service's response was cut off.")
                             : failed(errc::connection_failed, "no valid response from " + origin,
                                      "The service closed the connection without a valid response.");
    }
}

inline result<std::unique_ptr<httplib_transport::client>> httplib_transport::state::make_client(const url& target,
                                                                                                const std::string& address) const {
    auto made = std::make_unique<client>();
    if (target.scheme == "https") {
#if defined(CPPHTTPLIB_OPENSSL_SUPPORT) || defined(CPPHTTPLIB_SSL_ENABLED)  // the second one since other TLS libraries are supported
        auto secure = std::make_unique<httplib::SSLClient>(target.host, target.port);
        secure->enable_server_certificate_verification(true);
        if (!options.ca_file.empty()) {
            secure->set_ca_cert_path(options.ca_file);
        }
        made->library = std::move(secure);
#else
        return failure{.code = errc::unreachable,
                       .message = "https:// needs a cpp-httplib with CPPHTTPLIB_OPENSSL_SUPPORT",
                       .hint = "Build the host with CPPHTTPLIB_OPENSSL_SUPPORT."};
#endif
    } else {
        made->library = std::make_unique<httplib::ClientImpl>(target.host, target.port);
    }
    httplib::ClientImpl& library = *made->library;
    if (options.configure) {
        options.configure(library);
    }
    library.set_hostname_addr_map({{target.host, address}});
    library.set_socket_options([&socket = made->socket](socket_t descriptor) { socket.follow(descriptor); });
    library.set_keep_alive(true);
    library.set_follow_location(false);
    library.set_decompress(true);
    library.set_tcp_nodelay(true);
    leave_targets_alone(library);
    return made;
}

inline httplib_transport::outcome httplib_transport::state::exchange(client& with, const http_request& request, const url& target,
                                                                     const http_body_sink* sink, const adapter::exchange_limits& limits,
                                                                     const cancel_token& cancel,
                                                                     std::chrono::microseconds connect_timeout) {
    using clock = adapter::exchange_limits::clock;
    // The watch keeps the deadline. The library's own timeouts, which count from each operation, come later.
    constexpr auto later = std::chrono::seconds(1);
    const auto left = std::chrono::duration_cast<std::chrono::microseconds>(limits.deadline() - clock::now()) + later;
    httplib::ClientImpl& library = *with.library;
    library.set_connection_timeout(std::min(left, connect_timeout));
    library.set_read_timeout(left);
    library.set_write_timeout(left);
    leave_limit_to_request(library, std::numeric_limits<std::size_t>::max());

    httplib::Request out;
    out.method = request.method;
    out.path = target.target;
    out.body = request.body;
    for (const http_header& header : adapter::headers_to_send(request, target, sink != nullptr ? "identity" : encodings())) {
        out.headers.emplace(header.name, header.value);
    }
    adapter::incoming_body body(request, sink);
    bool decodable = true;
    out.response_handler = [&](const httplib::Response& head) {
        body.begin(head.status);
        decodable = request.method == "HEAD" || decodes(pyaichat::detail::ascii_lower(head.get_header_value("Content-Encoding")));
        return decodable && !limits.exceeded();
    };
    out.content_receiver = [&](const char* data, std::size_t size, auto...) { return body.take({data, size}) && !limits.exceeded(); };

    httplib::Response in;
    httplib::Error error = httplib::Error::Success;
    const bool complete = [&] {
        const adapter::socket_watch::guard watched(watch, with.socket, limits.deadline(), cancel);
        const adapter::pipe_signal_guard no_signal;
        return library.send(out, in, error);
    }();
    const bool responded = in.status > 0;
    if (body.refused()) {
        return {body.refusal(limits.origin()), responded};
    }
    if (limits.exceeded()) {  // a socket that was shut down may look like the end of the body
        return {limits.explain({}), responded};
    }
    if (!decodable) {
        return {failure{.code = errc::connection_failed,
                        .message = "the response from " + limits.origin() + " cannot be decompressed: its encoding was not asked for",
                        .hint = "The service sent a response that cannot be decompressed."},
                responded};
    }
    if (!complete) {
        const bool refused = error == httplib::Error::Connection || error == httplib::Error::ConnectionTimeout;
        return {httplib_transport::explain(error, limits.origin(), responded), responded, refused};
    }
    http_response response = convert(in);
    response.body = body.take_collected();
    return {std::move(response), responded};
}

inline result<http_response> httplib_transport::state::perform(const http_request& request, const http_body_sink* sink,
                                                               const cancel_token& cancel) {
    using clock = adapter::exchange_limits::clock;
    const result<url> target = adapter::check_request(request);
    if (!target) {
        return target.error();
    }
    const adapter::exchange_limits limits(request, *target, cancel);
    if (limits.exceeded()) {
        return limits.explain({});
    }
    if (const result<void> started = watch.start(); !started) {
        return started.error();
    }
    const auto finish = [&](outcome made, std::unique_ptr<client> used) -> result<http_response> {
        if (made.response && used->reusable()) {
            pool.give_back(limits.origin(), std::move(used));
        }
        return std::move(made.response);
    };
    if (std::unique_ptr<client> kept = pool.take(limits.origin())) {
        outcome made = exchange(*kept, request, *target, sink, limits, cancel, no_timeout);
        if (made.response || made.responded || !adapter::is_repeatable(request) || limits.exceeded()) {
            return finish(std::move(made), std::move(kept));
        }
    }
    const result<std::vector<std::string>> addresses = names.find(target->host, limits.deadline(), cancel);
    if (!addresses) {
        return limits.explain(addresses.error());
    }
    constexpr std::size_t addresses_tried = 4;
    constexpr std::chrono::microseconds longest_connect = std::chrono::seconds(3);  // to any address but the last
    const std::size_t count = std::min(addresses->size(), addresses_tried);
    for (std::size_t index = 0; index < count; ++index) {
        const bool last = index + 1 == count;
        const auto half = std::chrono::duration_cast<std::chrono::microseconds>(limits.deadline() - clock::now()) / 2;
        result<std::unique_ptr<client>> fresh = make_client(*target, (*addresses)[index]);
        if (!fresh) {
            return std::move(fresh).error();
        }
        outcome made = exchange(**fresh, request, *target, sink, limits, cancel,
                                last ? no_timeout : std::clamp(half, shortest_timeout, longest_connect));
        if (last || !made.not_connected || limits.exceeded()) {
            return finish(std::move(made), std::move(*fresh));
        }
    }
    return failure{.code = errc::connection_failed,
                   .message = "the name " + target->host + " has no address",
                   .hint = "The service could not be reached (the name " + target->host + " has no address)."};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
