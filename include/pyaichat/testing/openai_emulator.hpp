#pragma once
#include <pyaichat/testing/openai_reply.hpp>
#include <pyaichat/testing/openai_request_checker.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A request that the emulator received, valid or not.
struct openai_request {
    std::string method = {};
    std::string target = {};  ///< path and query
    std::vector<http_header> headers = {};
    std::string text = {};                       ///< the body as sent
    json body = {};                              ///< the body as JSON; null if it is not JSON
    int connection = 0;                          ///< the number of the connection, from 1
    std::optional<openai_refusal> refusal = {};  ///< why the emulator refused the request, if it did

    /// Returns the value of a header, or an empty string. The name is not case-sensitive.
    [[nodiscard]] std::string header(std::string_view name) const;
};

/// Options of an `openai_emulator`.
struct openai_emulator_options {
    openai_service service = {};
    bool strict = true;  ///< refuse requests that the service would refuse; otherwise every request takes the next reply
    int port = 0;        ///< 0 = any free port
};

/// An HTTP server on 127.0.0.1 that emulates Chat Completions, for tests. It replies from a script, validates requests as strictly as the
/// service and records them.
///
/// Serves `POST /v1/chat/completions` and `GET /v1/models`. A valid request for a completion takes the next reply of the script. An invalid
/// request is refused and takes no reply. Thread-safe. The emulator does not change the process's signal dispositions.
class openai_emulator {
public:
    /// Makes the reply to a request. Called on threads of the emulator, for several connections at once.
    using handler = std::function<openai_reply(const openai_request&)>;

    /// Starts the server. If the port is not available, `port()` is 0.
    explicit openai_emulator(openai_emulator_options options = {});
    /// Starts the server with default options and this script.
    explicit openai_emulator(std::initializer_list<openai_reply> script);
    /// Closes all connections, including hanging ones, and joins all threads.
    ~openai_emulator();

    /// Returns the base URL: "http://127.0.0.1:41234/v1".
    [[nodiscard]] std::string base_url() const;
    /// Returns the port, or 0 if the server could not listen.
    [[nodiscard]] int port() const noexcept;

    /// Adds a reply to the end of the script.
    void enqueue(openai_reply reply);
    /// Sets the handler for requests after the end of the script. Without a handler they get an HTTP 500.
    void otherwise(handler make_reply);

    /// Returns all requests so far, in the order of arrival.
    [[nodiscard]] std::vector<openai_request> requests() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
