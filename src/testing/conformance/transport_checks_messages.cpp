/// Checks of what is sent and received.
#include "testing/conformance/gzip_bytes.hpp"
#include "testing/conformance/transport_bench.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <atomic>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

using ending = loopback_reply::ending;

std::string long_text(std::size_t size) {
    std::string text;
    while (text.size() < size) {
        text += "line " + std::to_string(text.size()) + "\n";
    }
    return text;
}

/// Gets the reply in both forms, and returns what is wrong unless status and body are as expected.
std::string objection_to_reply(const transport_bench& bench, const loopback_reply& reply, int status, const std::string& body,
                               const char* method = "GET") {
    const loopback_server server([&](const loopback_request&) { return reply; });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        http_request request = bench.request_to(server.port());
        request.method = method;
        std::string wrong;
        const result<http_response> outcome = bench.perform(transport, request, form, wrong);
        if (!wrong.empty()) {
            return wrong;
        }
        if (!outcome || outcome->status != status || outcome->body != body) {
            return std::string(name_of(form)) + ": " + described(outcome) + "; status " + std::to_string(status) + " and a body of " +
                   std::to_string(body.size()) + " bytes were sent";
        }
    }
    return {};
}

std::string whole_responses(const transport_bench& bench) {
    const std::string body = long_text(100'000);
    for (const int status : {200, 201, 404, 503}) {
        const loopback_server server([&](const loopback_request&) {
            return loopback_reply{.bytes = http_message(status, {{"X-One", "first"}, {"X-Two", "2"}, {"X-Two", "3"}}, body)};
        });
        std::string wrong;
        const result<http_response> outcome = bench.perform(bench.make(), bench.request_to(server.port()), exchange_form::send, wrong);
        if (!outcome || outcome->status != status || outcome->body != body) {
            return wrong.empty() ? described(outcome) : wrong;
        }
        const auto twos = std::count_if(outcome->headers.begin(), outcome->headers.end(),
                                        [](const http_header& header) { return detail::equals_ignoring_case(header.name, "X-Two"); });
        if (header_value(outcome->headers, "X-One") != "first" || twos != 2) {
            return "a header of the response is missing";
        }
    }
    return {};
}

std::string streams(const transport_bench& bench) {
    const loopback_server server([](const loopback_request& request) {
        return request.target == "/refused" ? loopback_reply{.bytes = http_message(429, {}, "too many")}
                                            : loopback_reply{.bytes = http_head(200, {{"Transfer-Encoding", "chunked"}}) + "5\r\nfirst\r\n",
                                                             .then = request.target == "/hang" ? ending::hang : ending::close};
    });
    const any_http_transport transport = bench.make();
    {
        const transport_exchange hanging(transport, bench.request_to(server.port(), "/hang"), exchange_form::stream);
        if (!hanging.receives(5, bench.patience())) {
            return "a piece of the body does not reach the sink before the server sends more";
        }
    }
    const transport_exchange refused(transport, bench.request_to(server.port(), "/refused"), exchange_form::stream);
    if (!refused.ends_within(bench.patience())) {
        return "it did not return";
    }
    if (!refused.outcome() || refused.outcome()->status != 429 || refused.outcome()->body != "too many" || refused.pieces() != 0) {
        return "an error body does not come whole: " + described(refused.outcome());
    }
    const std::string body = long_text(300'000);
    const loopback_server whole(
        [&](const loopback_request&) { return loopback_reply{.bytes = http_message(200, {{"X-One", "1"}}, body)}; });
    const transport_exchange streamed(transport, bench.request_to(whole.port()), exchange_form::stream);
    if (!streamed.ends_within(bench.patience())) {
        return "it did not return";
    }
    if (!streamed.outcome() || streamed.streamed() != body || header_value(streamed.outcome()->headers, "X-One") != "1") {
        return described(streamed.outcome()) + "; the sink got " + std::to_string(streamed.streamed().size()) + " of " +
               std::to_string(body.size()) + " bytes";
    }
    if (!streamed.outcome()->body.empty()) {
        return "the response contains the body that the sink has got";
    }
    return streamed.used_other_thread() ? "the sink is called on another thread" : std::string();
}

std::string sink_stops(const transport_bench& bench) {
    const loopback_server server([](const loopback_request&) {
        return loopback_reply{.bytes = http_head(200, {{"Transfer-Encoding", "chunked"}}) + "5\r\nfirst\r\n", .then = ending::hang};
    });
    const transport_exchange stopped(bench.make(), bench.request_to(server.port()), exchange_form::stream, 1);
    if (!stopped.ends_within(bench.patience())) {
        return "it did not return after the sink had returned false";
    }
    if (stopped.outcome() || stopped.outcome().error().code != errc::cancelled) {
        return described(stopped.outcome()) + "; `cancelled` was expected";
    }
    return stopped.pieces() == 1 ? std::string() : "the sink was called after it had returned false";
}

std::string sends_requests(const transport_bench& bench) {
    std::mutex mutex;
    std::vector<loopback_request> seen;
    const loopback_server server([&](const loopback_request& request) {
        const std::lock_guard lock(mutex);
        seen.push_back(request);
        return loopback_reply{.bytes = http_message(200, {}, "")};
    });
    const any_http_transport transport = bench.make();
    constexpr const char* target = "/v1/a%2Fb:call?key=%C3%A9&x=1+2%20";
    const std::string bodies[] = {std::string("nul \0 and \r\n ends", 17), long_text(300'000), std::string()};
    for (const std::string& body : bodies) {
        for (const char* method : {"POST", "PUT", "GET", "DELETE"}) {
            if (std::string_view(method) == "GET" && !body.empty()) {
                continue;
            }
            http_request request = bench.request_to(server.port(), target);
            request.method = method;
            request.body = body;
            request.headers = {{"X-Key", "a b;c"}, {"Content-Type", "application/json"}};
            std::string wrong;
            const result<http_response> outcome = bench.perform(transport, request, exchange_form::send, wrong);
            if (!outcome) {
                return wrong.empty() ? std::string(method) + ": " + described(outcome) : wrong;
            }
            const std::lock_guard lock(mutex);
            const loopback_request& arrived = seen.back();
            if (arrived.method != method || arrived.target != target) {
                return std::string(method) + " " + target + " arrived as " + arrived.method + " " + arrived.target;
            }
            if (arrived.body != body) {
                return std::string(method) + ": of a body of " + std::to_string(body.size()) + " bytes, " +
                       std::to_string(arrived.body.size()) + " arrived, or others";
            }
            if (header_value(arrived.headers, "X-Key") != "a b;c" || header_value(arrived.headers, "Content-Type") != "application/json" ||
                header_value(arrived.headers, "Host").empty()) {
                return std::string(method) + ": a header did not arrive";
            }
        }
    }
    return {};
}

std::string chunked_bodies(const transport_bench& bench) {
    const std::string head = http_head(200, {{"Transfer-Encoding", "chunked"}});
    loopback_reply reply = {.bytes = head + "5;name=value\r\nfirst\r\n00B\r\n, a second.\r\n0\r\n\r\n"};
    if (std::string wrong = objection_to_reply(bench, reply, 200, "first, a second."); !wrong.empty()) {
        return wrong;
    }
    reply.piece = 1;
    return objection_to_reply(bench, reply, 200, "first, a second.");
}

std::string trailers(const transport_bench& bench) {
    return objection_to_reply(
        bench, {.bytes = http_head(200, {{"Transfer-Encoding", "chunked"}}) + "5\r\nfirst\r\n0\r\nX-Sum: 1\r\nX-Other: 2\r\n\r\n"}, 200,
        "first");
}

std::string bodies_until_close(const transport_bench& bench) {
    return objection_to_reply(bench, {.bytes = "HTTP/1.1 200 OK\r\n\r\nall until the end", .then = ending::close}, 200,
                              "all until the end");
}

std::string cut_bodies(const transport_bench& bench) {
    const std::string cut[] = {http_head(200, {{"Content-Length", "10"}}) + "five.",
                               http_head(200, {{"Transfer-Encoding", "chunked"}}) + "a\r\nfive.",
                               http_head(200, {{"Transfer-Encoding", "chunked"}}) + "5\r\nfive.\r\n"};
    for (const std::string& bytes : cut) {
        for (const ending then : {ending::close, ending::reset}) {
            const loopback_server server([&](const loopback_request&) { return loopback_reply{.bytes = bytes, .then = then}; });
            for (const exchange_form form : both_forms) {
                if (std::string wrong =
                        bench.objection_to_failure(bench.make(), bench.request_to(server.port()), form, {errc::connection_failed});
                    !wrong.empty()) {
                    return std::string(name_of(form)) + ": " + wrong;
                }
            }
        }
    }
    return {};
}

std::string interim_responses(const transport_bench& bench) {
    const std::string last = http_message(200, {}, "final");
    if (std::string wrong = objection_to_reply(bench, {.bytes = "HTTP/1.1 100 Continue\r\n\r\n" + last}, 200, "final"); !wrong.empty()) {
        return "after status 100: " + wrong;
    }
    const std::string hints = "HTTP/1.1 103 Early Hints\r\nLink: </style.css>\r\n\r\n";
    std::string wrong = objection_to_reply(bench, {.bytes = hints + hints + last}, 200, "final");
    return wrong.empty() ? wrong : "after status 103: " + wrong;
}

std::string no_body(const transport_bench& bench) {
    // The server leaves the body out for HEAD, and keeps the connection.
    if (std::string wrong = objection_to_reply(bench, {.bytes = http_message(200, {}, "not sent")}, 200, "", "HEAD"); !wrong.empty()) {
        return "HEAD: " + wrong;
    }
    std::string wrong = objection_to_reply(bench, {.bytes = "HTTP/1.1 204 No Content\r\n\r\n"}, 204, "");
    return wrong.empty() ? wrong : "status 204: " + wrong;
}

std::string content_encodings(const transport_bench& bench) {
    const std::string body = long_text(20'000);
    std::atomic<int> encoded = 0;
    const loopback_server server([&](const loopback_request& request) {
        const bool wanted = header_value(request.headers, "Accept-Encoding").find("gzip") != std::string::npos;
        encoded += wanted ? 1 : 0;
        return loopback_reply{.bytes =
                                  wanted ? http_message(200, {{"Content-Encoding", "gzip"}}, gzip_of(body)) : http_message(200, {}, body)};
    });
    const any_http_transport transport = bench.make();
    for (const exchange_form form : both_forms) {
        std::string wrong;
        const result<http_response> outcome = bench.perform(transport, bench.request_to(server.port()), form, wrong);
        if (!outcome || outcome->body != body) {
            return wrong.empty() ? std::string(name_of(form)) + ": " + described(outcome) : wrong;
        }
    }
    bench.note(encoded > 0 ? "asks for gzip" : "does not ask for gzip");
    return {};
}

constexpr transport_check message_checks[] = {
    {transport_promise::whole_responses, &whole_responses},
    {transport_promise::streams, &streams},
    {transport_promise::sink_stops, &sink_stops},
    {transport_promise::sends_requests, &sends_requests},
    {transport_promise::chunked_bodies, &chunked_bodies},
    {transport_promise::trailers, &trailers},
    {transport_promise::bodies_until_close, &bodies_until_close},
    {transport_promise::cut_bodies, &cut_bodies},
    {transport_promise::interim_responses, &interim_responses},
    {transport_promise::no_body, &no_body},
    {transport_promise::content_encodings, &content_encodings},
};

}  // namespace

std::span<const transport_check> checks_of_messages() noexcept {
    return message_checks;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
