#pragma once
#include <pyaichat/core/time.hpp>
#include <pyaichat/testing/recorded_request.hpp>

#include <cstddef>
#include <functional>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

template <class Service>
struct service_emulator_options {
    Service service = {};
    bool strict = true;  ///< refuse requests that the service would refuse; otherwise every request takes the next reply
    int port = 0;        ///< 0 = any free port
    /// Called with each request when it arrives, on a thread of the emulator, one at a time. It must not call the emulator (deadlock).
    std::function<void(const recorded_request&)> on_request = {};
};

/// An HTTP server on 127.0.0.1 that emulates the API of a service, for tests: `gemini_emulator`, `openai_emulator`, `anthropic_emulator`.
/// It replies from a script, validates requests as strictly as the service and records them.
///
/// A valid request for a response of a model takes the next reply of the script. An invalid request is refused and takes no reply. Other
/// requests, such as for the list of models, are answered from `service`. Thread-safe. The emulator does not change the process's signal
/// dispositions.
template <class Reply, class Service>
class service_emulator {
public:
    using options = service_emulator_options<Service>;
    /// Makes the reply to a request. Called on threads of the emulator, for several connections at once.
    using handler = std::function<Reply(const recorded_request&)>;

    /// Starts the server. If the port is not available, `port()` is 0.
    explicit service_emulator(options chosen = {});
    /// Starts the server with default options and this script.
    explicit service_emulator(std::initializer_list<Reply> script);
    /// Closes all connections, including hanging ones, and joins all threads.
    ~service_emulator();

    /// Returns the base URL, with the version if the URLs of the service's clients have it: "http://127.0.0.1:41234/v1".
    [[nodiscard]] std::string base_url() const;
    /// Returns the port, or 0 if the server could not listen.
    [[nodiscard]] int port() const noexcept;

    /// Adds a reply to the end of the script.
    void enqueue(Reply reply);
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
