#pragma once
#include <pyaichat/policy/any_http_transport.hpp>

#include <cstddef>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct cassette_options {
    /// Texts that never reach a file, beside those that are found: the values of headers like `x-goog-api-key` and `Authorization`, and of
    /// `key=` in a URL.
    std::vector<std::string> secrets = {};
};

/// A transport that passes everything to another one and writes down what went to and fro. Models `http_transport`; copies share the file.
///
///     ai::gemini provider{options, fake::cassette_recorder{"tests/cassettes/door.json", ai::net::https_transport{}}};
///
/// The file is one JSON document, written anew after each exchange, which replaces what was there before. Secrets are `***` in it, wherever
/// they occur: headers, URL, and both bodies. A streamed body keeps its pieces. What was cancelled is not recorded; other failures are.
/// When the file cannot be written, the exchange fails with `internal`.
class cassette_recorder {
public:
    cassette_recorder(std::string path, any_http_transport transport, cassette_options options = {});

    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

private:
    struct state;
    std::shared_ptr<state> state_;
};

/// A transport that answers from a cassette and never touches a network. Models `http_transport`; copies share what has been played.
///
/// A request takes the first recording that has not been played and has the same method, URL and body; bodies that are JSON are compared as
/// JSON, headers are not compared. A request without a recording fails with `not_found`, and the message names the nearest one and the
/// first difference: "at /contents/0/parts/0/text: recorded "a", sent "b"". So does every request when the file cannot be read.
class cassette_player {
public:
    explicit cassette_player(std::string path, cassette_options options = {});

    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel);
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel);

    /// How many recordings nobody has asked for.
    [[nodiscard]] std::size_t left() const;

private:
    struct state;
    std::shared_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
