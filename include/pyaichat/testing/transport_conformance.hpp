#pragma once
#include <pyaichat/policy/any_http_transport.hpp>
#include <pyaichat/testing/conformance_report.hpp>

#include <chrono>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A part of the contract of `http_transport` that the suite checks.
enum class transport_promise : unsigned char {
    whole_responses,     ///< `send` returns status, headers and body
    streams,             ///< `stream` passes pieces on as they arrive, on the calling thread, and returns error bodies whole
    sink_stops,          ///< an exchange ends with `cancelled` if the sink returns false
    sends_requests,      ///< method, target, headers and body arrive unchanged
    chunked_bodies,      ///< chunked bodies are joined
    trailers,            ///< trailer fields after a chunked body are accepted
    bodies_until_close,  ///< a body without a length ends with the connection
    cut_bodies,          ///< a body that is shorter than announced is a failure
    interim_responses,   ///< 1xx responses before the final response are skipped
    no_body,             ///< responses to HEAD and with status 204 end with their head
    content_encodings,   ///< a body with an encoding that the transport asked for is decoded
    keeps_connections,   ///< a connection is used again
    closed_connections,  ///< a request succeeds after the server has closed the kept connection
    repeats,             ///< a repeatable request is repeated if the server closes the kept connection instead of responding
    never_repeats,       ///< no other request is repeated, and none after a part of the response
    abort_before_start,  ///< a request that is cancelled before it starts opens no connection
    abort_connecting,    ///< a cancellation ends the exchange while it connects
    abort_handshake,     ///< the same, in the TLS handshake
    abort_sending,       ///< the same, while the request is sent
    abort_head,          ///< the same, while it waits for the head of the response
    abort_body,          ///< the same, while it reads the body
    deadline,            ///< the timeout ends an exchange with a silent server
    deadline_of_drips,   ///< the timeout ends an exchange with a server that sends a byte now and then
    bounded_body,        ///< a decoded body above the limit is a failure
    bounded_head,        ///< an enormous head is a failure
    bounded_expansion,   ///< a small body that expands above the limit is a failure
    no_redirects,        ///< redirects are returned, not followed
    no_plain_http,       ///< `http://` is refused for hosts that are not loopback addresses
    failure_codes,       ///< failures have the documented codes, and a message
    no_secrets,          ///< no failure shows a header value
    no_injection,        ///< line ends in methods, header names and header values are refused
    concurrent_use,      ///< exchanges on several threads do not disturb each other
    no_signals,          ///< no signal is raised, and no signal disposition or mask is changed
    nothing_left,        ///< a destroyed transport leaves no descriptor and no thread
};

/// Returns what the promise says, as in the report: "a cancellation ends the exchange while it connects".
[[nodiscard]] std::string_view to_string(transport_promise promise) noexcept;

/// Returns every promise, in the order of the enumeration.
[[nodiscard]] std::span<const transport_promise> all_transport_promises() noexcept;

/// The transport under test.
struct transport_subject {
    /// Makes a new transport. Called once or more for each check. It must not use a proxy.
    std::function<any_http_transport()> make = {};
    /// Promises that the transport does not make. They are not checked, and the report lists them as skipped.
    std::vector<transport_promise> without = {};
    /// How late an exchange may return after a cancellation or its deadline. The contract says 50 ms; a busy machine needs more.
    duration slack = std::chrono::seconds(1);
    /// How long the suite waits for one exchange. Only a failing transport reaches this timeout.
    duration patience = std::chrono::seconds(10);
};

/// Tests every promise of `http_transport` against servers on 127.0.0.1. Blocks for a few seconds. The report notes the delay of each
/// cancellation and deadline.
///
/// Makes each exchange on its own thread. If an exchange does not return within `patience`, its thread keeps running with a copy of the
/// transport. During the check of signals, SIGPIPE has a handler of the suite. Threads and descriptors are counted in the whole process,
/// and on Linux only, so the rest of the process should be idle.
[[nodiscard]] conformance_report check_transport(const transport_subject& subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
