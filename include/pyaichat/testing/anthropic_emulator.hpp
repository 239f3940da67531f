#pragma once
#include <pyaichat/testing/anthropic_reply.hpp>
#include <pyaichat/testing/anthropic_request_checker.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A request that the emulator received, valid or not.
struct anthropic_recorded_request {
    std::string method = {};
    std::string path = {};
    std::string query = {};  ///< without `?`
    std::vector<http_header> headers = {};
    std::string text = {};                          ///< the body as sent
    json body = {};                                 ///< the body as JSON; null if it is not JSON
    int connection = 0;                             ///< the number of the connection, from 1
    std::optional<anthropic_refusal> refusal = {};  ///< why the emulator refused the request, if it did

    /// Returns the value of a header, or an empty string. The name is not case-sensitive.
    [[nodiscard]] std::string header(std::string_view name) const;
};

/// Options of an `anthropic_emulator`.
struct anthropic_emulator_options {
    anthropic_service service = {};
    bool strict = true;  ///< refuse requests that the service would refuse; otherwise every request takes the next reply
    int port = 0;        ///< 0 = any free port
    /// Called with each request when it arrives, on a thread of the emulator, one at a time. It must not call the emulator (deadlock).
    std::function<void(const anthropic_recorded_request&)> on_request = {};
};

/// An HTTP server on 127.0.0.1 that emulates Anthropic's Messages API, for tests. It replies from a script, validates requests as strictly
/// as the service and records them. It remembers the thinking blocks that it has written and what preceded them.
///
/// Serves `POST /v1/messages`, `POST /v1/messages/count_tokens`, `GET /v1/models` and `GET /v1/models/{id}`. A valid request for a message
/// takes the next reply of the script. An invalid request is refused and takes no reply. Thread-safe. The emulator does not change the
/// process's signal dispositions.
class anthropic_emulator {
public:
    /// Makes the reply to a request. Called on threads of the emulator, for several connections at once.
    using handler = std::function<anthropic_reply(const anthropic_recorded_request&)>;

    /// Starts the server. If the port is not available, `port()` is 0.
    explicit anthropic_emulator(anthropic_emulator_options options = {});
    /// Starts the server with default options and this script.
    explicit anthropic_emulator(std::initializer_list<anthropic_reply> script);
    /// Closes all connections, including hanging ones, and joins all threads.
    ~anthropic_emulator();

    /// Returns the base URL: "http://127.0.0.1:41234".
    [[nodiscard]] std::string base_url() const;
    /// Returns the port, or 0 if the server could not listen.
    [[nodiscard]] int port() const noexcept;

    /// Adds a reply to the end of the script.
    void enqueue(anthropic_reply reply);
    /// Sets the handler for requests after the end of the script. Without a handler they get an HTTP 500.
    void otherwise(handler make_reply);

    /// Returns all requests so far, in the order of arrival.
    [[nodiscard]] std::vector<anthropic_recorded_request> requests() const;
    /// Returns the number of unused replies in the script.
    [[nodiscard]] std::size_t replies_left() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
