/// Checks of limits, redirects, refused requests and failures.
#include "testing/conformance/gzip_bytes.hpp"
#include "testing/conformance/raw_listener.hpp"
#include "testing/conformance/transport_bench.hpp"

#include <atomic>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using ending = loopback_reply::ending;

std::string bounded_body(const transport_bench& bench) {
    constexpr std::size_t limit = 100'000;
    const loopback_server server([](const loopback_request& request) {
        const bool fits = request.target == "/fits";
        const std::string body(fits ? limit : limit + 1, 'x');
        return loopback_reply{.bytes = request.target == "/chunked"
                                           ? http_head(200, {{"Transfer-Encoding", "chunked"}}) + "186A1\r\n" + body + "\r\n0\r\n\r\n"
                                           : http_message(200, {}, body)};
    });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        for (const char* target : {"/length", "/chunked"}) {
            http_request request = bench.request_to(server.port(), target);
            request.max_response_bytes = limit;
            if (std::string wrong = bench.objection_to_failure(transport, request, form, {errc::too_large}); !wrong.empty()) {
                return "a body of one byte more than the limit: " + wrong;
            }
        }
        http_request request = bench.request_to(server.port(), "/fits");
        request.max_response_bytes = limit;
        std::string wrong;
        const result<http_response> outcome = bench.perform(transport, request, form, wrong);
        if (!outcome || outcome->body.size() != limit) {
            return wrong.empty() ? "a body as large as the limit: " + described(outcome) : wrong;
        }
    }
    return {};
}

std::string bounded_head(const transport_bench& bench) {
    constexpr std::size_t enormous = std::size_t{8} << 20;
    const loopback_server server([](const loopback_request& request) {
        loopback_reply reply = {.bytes = "HTTP/1.1 200 OK\r\n"};
        if (request.target == "/line") {
            reply.bytes += "X-Long: a";
            reply.rest.push_back({.bytes = {}, .blanks = enormous});
        } else {
            while (reply.bytes.size() < enormous) {
                reply.bytes += "X-Many: some more of many headers\r\n";
            }
        }
        reply.rest.push_back({.bytes = "b\r\nContent-Length: 2\r\n\r\nok"});
        if (request.target == "/many") {
            reply.rest.back().bytes.replace(0, 1, "X: b");
        }
        reply.then = ending::close;
        return reply;
    });
    const any_http_transport transport = bench.make();
    for (const char* target : {"/line", "/many"}) {
        if (std::string wrong = bench.objection_to_failure(transport, bench.request_to(server.port(), target), exchange_form::send,
                                                           {errc::too_large, errc::connection_failed});
            !wrong.empty()) {
            return std::string(target == std::string_view("/line") ? "a header" : "many headers") + " of 8 MiB: " + wrong;
        }
    }
    return {};
}

std::string bounded_expansion(const transport_bench& bench) {
    constexpr std::size_t limit = std::size_t{1} << 20;
    const std::string bomb = gzip_of_blanks(8 * limit);
    const loopback_server server([&](const loopback_request& request) {
        // A transport that does not ask for gzip has nothing to expand: it gets a plain body above the limit.
        const bool wanted = header_value(request.headers, "Accept-Encoding").find("gzip") != std::string::npos;
        return loopback_reply{.bytes = wanted ? http_message(200, {{"Content-Encoding", "gzip"}}, bomb)
                                              : http_message(200, {}, std::string(2 * limit, ' '))};
    });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        http_request request = bench.request_to(server.port());
        request.max_response_bytes = limit;
        if (std::string wrong = bench.objection_to_failure(transport, request, form, {errc::too_large}); !wrong.empty()) {
            return wrong;
        }
    }
    return {};
}

std::string no_redirects(const transport_bench& bench) {
    std::atomic<int> followed = 0;
    const loopback_server server([&](const loopback_request& request) {
        followed += request.target == "/target" ? 1 : 0;
        return loopback_reply{.bytes = request.target == "/target"
                                           ? http_message(200, {}, "followed")
                                           : http_message(request.target == "/301" ? 301 : 307, {{"Location", "/target"}}, "moved")};
    });
    const any_http_transport transport = bench.make();
    for (const char* target : {"/301", "/307"}) {
        for (const exchange_form form : both_forms) {
            std::string wrong;
            const result<http_response> outcome = bench.perform(transport, bench.request_to(server.port(), target), form, wrong);
            if (!outcome || outcome->status / 100 != 3 || header_value(outcome->headers, "Location") != "/target") {
                return wrong.empty() ? described(outcome) + "; the redirect was expected" : wrong;
            }
        }
    }
    return followed == 0 ? std::string() : "it sent a request to the target of the redirect";
}

std::string no_plain_http(const transport_bench& bench) {
    const any_http_transport transport = bench.make();
    // An address for documentation and names that nobody has: a transport that tries them reaches nobody.
    for (const char* url : {"http://192.0.2.1/", "http://127.example/", "http://127.0.0.1.example/", "http://[2001:db8::1]/"}) {
        http_request request;
        request.url = url;
        request.timeout = std::chrono::milliseconds(500);
        if (std::string wrong = bench.objection_to_failure(transport, request, exchange_form::send, {errc::invalid_argument});
            !wrong.empty()) {
            return std::string(url) + ": " + wrong;
        }
    }
    return {};
}

std::string failure_codes(const transport_bench& bench) {
    const any_http_transport transport = bench.make();
    for (const char* url : {"", "127.0.0.1", "ftp://127.0.0.1/", "file:///etc/hostname", "http://user:word@127.0.0.1/",
                            "http://127.0.0.1:99999/", "http://127.0.0.1/a b", "http://"}) {
        http_request request;
        request.url = url;
        if (std::string wrong = bench.objection_to_failure(transport, request, exchange_form::send, {errc::invalid_argument});
            !wrong.empty()) {
            return "\"" + std::string(url) + "\": " + wrong;
        }
    }
    if (std::string wrong = bench.objection_to_failure(transport, bench.request_to(unused_port()), exchange_form::send,
                                                       {errc::connection_failed, errc::unreachable});
        !wrong.empty()) {
        return "a port on which nobody listens: " + wrong;
    }
    const loopback_server server([](const loopback_request& request) {
        return loopback_reply{.bytes = request.target == "/other" ? "220 mail.example ESMTP\r\n" : "", .then = ending::close};
    });
    if (std::string wrong = bench.objection_to_failure(transport, bench.request_to(server.port(), "/other"), exchange_form::send,
                                                       {errc::unreachable, errc::connection_failed});
        !wrong.empty()) {
        return "a server that does not speak HTTP: " + wrong;
    }
    if (std::string wrong =
            bench.objection_to_failure(transport, bench.request_to(server.port()), exchange_form::send, {errc::connection_failed});
        !wrong.empty()) {
        return "a server that closes without a response: " + wrong;
    }
    const raw_listener closing(1, raw_listener::behaviour::breaks_writes);
    http_request handshake = bench.request_to(closing.port());
    handshake.url.replace(0, 4, "https");
    std::string wrong = bench.objection_to_failure(transport, handshake, exchange_form::send, {errc::connection_failed, errc::unreachable});
    return wrong.empty() ? wrong : "a server that closes in the TLS handshake: " + wrong;
}

std::string no_secrets(const transport_bench& bench) {
    constexpr const char* secret = "s3cr3t-k3y";
    const any_http_transport transport = bench.make();
    const loopback_server server([](const loopback_request& request) {
        return loopback_reply{.bytes = request.target == "/cut" ? http_head(200, {{"Content-Length", "9"}}) + "cut" : "?",
                              .then = ending::close};
    });
    const auto shows_secret = [&](http_request request, const std::string& value) {
        request.headers = {{"X-Api-Key", value}};
        std::string wrong;
        const result<http_response> outcome = bench.perform(transport, request, exchange_form::send, wrong);
        return !outcome && (outcome.error().message + outcome.error().hint).find(secret) != std::string::npos;
    };
    http_request silent = bench.request_to(server.port(), "/cut");
    silent.timeout = duration(1);
    const bool shown = shows_secret(bench.request_to(server.port(), "/cut"), secret) ||
                       shows_secret(bench.request_to(server.port()), secret) || shows_secret(bench.request_to(unused_port()), secret) ||
                       shows_secret(silent, secret) || shows_secret(bench.request_to(server.port()), std::string(secret) + "\r\n");
    return shown ? "a failure shows the value of a header of the request" : std::string();
}

std::string no_injection(const transport_bench& bench) {
    std::atomic<int> arrived = 0;
    const loopback_server server([&](const loopback_request&) {
        ++arrived;
        return loopback_reply{.bytes = http_message(200, {}, "ok")};
    });
    const any_http_transport transport = bench.make();
    const std::pair<std::string, http_header> wrong_parts[] = {
        {"GET", {"X-Key", "a\r\nX-Injected: b"}},
        {"GET", {"X-Key", "a\nX-Injected: b"}},
        {"GET", {"X-Key: a\r\nX-Injected", "b"}},
        {"GET", {"X-Key", std::string("a\0b", 3)}},
        {"GET", {"", "a"}},
        {"GET / HTTP/1.1\r\nX-Injected: b\r\nX:", {"X-Key", "a"}},
    };
    for (const auto& [method, header] : wrong_parts) {
        http_request request = bench.request_to(server.port());
        request.method = method;
        request.headers = {header};
        if (std::string wrong = bench.objection_to_failure(transport, request, exchange_form::send, {errc::invalid_argument});
            !wrong.empty()) {
            return wrong;
        }
    }
    return arrived == 0 ? std::string() : "a refused request was sent";
}

constexpr transport_check limit_checks[] = {
    {transport_promise::bounded_body, &bounded_body},
    {transport_promise::bounded_head, &bounded_head},
    {transport_promise::bounded_expansion, &bounded_expansion},
    {transport_promise::no_redirects, &no_redirects},
    {transport_promise::no_plain_http, &no_plain_http},
    {transport_promise::failure_codes, &failure_codes},
    {transport_promise::no_secrets, &no_secrets},
    {transport_promise::no_injection, &no_injection},
};

}  // namespace

std::span<const transport_check> checks_of_limits() noexcept {
    return limit_checks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
