#pragma once
#include <pyaichat/testing/gemini_reply.hpp>
#include <pyaichat/testing/gemini_request_checker.hpp>

#include <functional>
#include <initializer_list>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A request that the emulator received, valid or not.
struct recorded_request {
    std::string method = {};
    std::string path = {};
    std::string query = {};  ///< without `?`
    std::vector<http_header> headers = {};
    std::string text = {};                       ///< the body as sent
    json body = {};                              ///< the body as JSON; null if it is not JSON
    int connection = 0;                          ///< the number of the connection, from 1
    std::optional<gemini_refusal> refusal = {};  ///< why the emulator refused the request, if it did

    /// Returns the value of a header, or an empty string. The name is not case-sensitive.
    [[nodiscard]] std::string header(std::string_view name) const;
    /// Returns the values of this member in all parts of all contents, in order: `every("thoughtSignature")`.
    [[nodiscard]] std::vector<json> every(std::string_view part_member) const;
};

/// Options of a `gemini_emulator`.
struct gemini_emulator_options {
    gemini_service service = {};
    bool strict = true;  ///< refuse requests that the service would refuse; otherwise every request takes the next reply
    int port = 0;        ///< 0 = any free port
    /// Called with each request when it arrives, on a thread of the emulator, one at a time. It must not call the emulator (deadlock).
    std::function<void(const recorded_request&)> on_request = {};
};

/// An HTTP server on 127.0.0.1 that emulates the Gemini Developer API, for tests. It replies from a script, validates requests as strictly
/// as the service and records them.
///
/// Serves `generateContent`, `streamGenerateContent`, `countTokens`, `GET models` and `GET models/{model}` under `v1`, `v1beta` and
/// `v1alpha`. A valid generate request takes the next reply of the script. An invalid request is refused and takes no reply. The other
/// methods respond from `service`, unless the script has a reply for them. Thread-safe. The emulator does not change the process's signal
/// dispositions.
class gemini_emulator {
public:
    /// Makes the reply to a request. Called on threads of the emulator, for several connections at once.
    using handler = std::function<gemini_reply(const recorded_request&)>;

    /// Starts the server. If the port is not available, `port()` is 0.
    explicit gemini_emulator(gemini_emulator_options options = {});
    /// Starts the server with default options and this script.
    explicit gemini_emulator(std::initializer_list<gemini_reply> script);
    /// Closes all connections, including hanging ones, and joins all threads.
    ~gemini_emulator();

    /// Returns the base URL: "http://127.0.0.1:41234".
    [[nodiscard]] std::string base_url() const;
    /// Returns the port, or 0 if the server could not listen.
    [[nodiscard]] int port() const noexcept;

    /// Adds a reply to the end of the script.
    void enqueue(gemini_reply reply);
    /// Sets the handler for requests after the end of the script. Without a handler they get an HTTP 500.
    void otherwise(handler make_reply);

    /// Returns all requests so far, in the order of arrival.
    [[nodiscard]] std::vector<recorded_request> requests() const;
    /// Waits until `count` requests have arrived. Returns false after `timeout`.
    [[nodiscard]] bool wait_for_requests(std::size_t count, duration timeout) const;
    /// Returns the number of unused replies in the script.
    [[nodiscard]] std::size_t replies_left() const;
    /// Returns the number of connections accepted so far.
    [[nodiscard]] int connections() const;

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
