#pragma once
#include <pyaichat/policy/any_http_transport.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Options of a cassette's recorder or player.
struct cassette_options {
    /// Additional secrets to replace by `***`. The values of headers like `x-goog-api-key` and `Authorization`, and of `key=` in a URL, are
    /// always replaced.
    std::vector<std::string> secrets = {};
};

/// A transport that forwards each request to another transport and records the exchange in a file. Models `http_transport`. Copies share
/// the file. Any thread, if the inner transport allows it.
///
///     ai::gemini provider{options, fake::cassette_recorder{"tests/cassettes/door.json", ai::net::https_transport{}}};
///
/// The file is one JSON document. The recorder replaces it after each exchange. Secrets in headers, URL and bodies are written as `***`. A
/// streamed body keeps its chunk boundaries. Failed exchanges are recorded, cancelled exchanges are not. If the file cannot be written, the
/// exchange fails with `internal`.
class cassette_recorder {
public:
    /// Records to the file `path`, which is replaced by the first exchange. `transport` sends the requests.
    cassette_recorder(std::string path, any_http_transport transport, cassette_options options = {});
    /// Forwards a request and records the exchange. Fails like the inner transport, or with `internal`.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    /// Like `send`, with a streamed body.
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

private:
    struct state;
    std::shared_ptr<state> state_;
};

/// A transport that responds from a cassette, without a network. Models `http_transport`. Copies share the played recordings. Any thread.
///
/// A request plays the first unplayed recording with the same method, URL and body. JSON bodies are compared as JSON; headers are not
/// compared. A request without a recording fails with `not_found`; the message names the nearest recording and the first difference: "at
/// /contents/0/parts/0/text: recorded "a", sent "b"". If the file cannot be loaded, every request fails with that error.
class cassette_player {
public:
    /// Loads the file `path`.
    explicit cassette_player(std::string path, cassette_options options = {});
    /// Returns the recorded outcome at once. Fails as recorded, or with `not_found`.
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    /// Like `send`, but passes the recorded pieces of a 2xx body to `sink`. If `sink` returns false, fails with `cancelled`.
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);
    /// Returns the number of recordings that were not played.
    [[nodiscard]] std::size_t left() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
