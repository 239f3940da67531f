#include <pyaichat/testing/transport_conformance.hpp>

#include "testing/conformance/transport_bench.hpp"

#include <algorithm>
#include <array>

namespace pyaichat::inline PYAICHAT_ABI::testing {

namespace {

constexpr std::size_t promise_count = static_cast<std::size_t>(transport_promise::nothing_left) + 1;

constexpr std::array<transport_promise, promise_count> every_promise = [] {
    std::array<transport_promise, promise_count> all = {};
    for (std::size_t index = 0; index < promise_count; ++index) {
        all[index] = static_cast<transport_promise>(index);
    }
    return all;
}();

}  // namespace

std::string_view to_string(transport_promise promise) noexcept {
    switch (promise) {
        case transport_promise::whole_responses: return "returns status, headers and body";
        case transport_promise::streams: return "streams the body as it arrives";
        case transport_promise::sink_stops: return "ends with `cancelled` if the sink returns false";
        case transport_promise::sends_requests: return "sends method, target, headers and body unchanged";
        case transport_promise::chunked_bodies: return "joins chunked bodies";
        case transport_promise::trailers: return "accepts trailer fields";
        case transport_promise::bodies_until_close: return "reads bodies that end with the connection";
        case transport_promise::cut_bodies: return "fails if the body is cut";
        case transport_promise::interim_responses: return "skips 1xx responses";
        case transport_promise::no_body: return "expects no body after HEAD and status 204";
        case transport_promise::content_encodings: return "decodes the encodings that it asks for";
        case transport_promise::keeps_connections: return "uses connections again";
        case transport_promise::closed_connections: return "replaces connections that the server has closed";
        case transport_promise::repeats: return "repeats a repeatable request after a broken kept connection";
        case transport_promise::never_repeats: return "repeats no other request";
        case transport_promise::abort_before_start: return "opens no connection if it is cancelled before";
        case transport_promise::abort_connecting: return "can be cancelled while it connects";
        case transport_promise::abort_handshake: return "can be cancelled in the TLS handshake";
        case transport_promise::abort_sending: return "can be cancelled while it sends";
        case transport_promise::abort_head: return "can be cancelled while it waits for the head";
        case transport_promise::abort_body: return "can be cancelled while it reads the body";
        case transport_promise::deadline: return "keeps the timeout with a silent server";
        case transport_promise::deadline_of_drips: return "keeps the timeout with a server that drips bytes";
        case transport_promise::bounded_body: return "limits the body";
        case transport_promise::bounded_head: return "limits the head";
        case transport_promise::bounded_expansion: return "limits what a compressed body expands to";
        case transport_promise::no_redirects: return "does not follow redirects";
        case transport_promise::no_plain_http: return "refuses plain HTTP to hosts that are not loopback";
        case transport_promise::failure_codes: return "fails with the documented codes";
        case transport_promise::no_secrets: return "shows no header value in failures";
        case transport_promise::no_injection: return "refuses line ends in methods and headers";
        case transport_promise::concurrent_use: return "can be used on several threads";
        case transport_promise::no_signals: return "raises no signal and changes no signal handling";
        case transport_promise::nothing_left: return "leaves no descriptor and no thread";
    }
    return "unknown";
}

std::span<const transport_promise> all_transport_promises() noexcept {
    return every_promise;
}

conformance_report check_transport(const transport_subject& subject) {
    conformance_report report;
    const transport_bench bench(subject, report);
    for (const auto checks :
         {checks_of_messages(), checks_of_connections(), checks_of_endings(), checks_of_limits(), checks_of_manners()}) {
        for (const transport_check& check : checks) {
            const std::string name(to_string(check.promise));
            if (std::find(subject.without.begin(), subject.without.end(), check.promise) != subject.without.end()) {
                report.skipped.push_back(name);
            } else {
                report.add(name, check.objection(bench));
            }
        }
    }
    return report;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
