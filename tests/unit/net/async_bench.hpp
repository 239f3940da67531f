#pragma once
/// Exchanges for tests of the event-driven transport, and where their outcomes go.
#include <pyaichat/policy/async_http_transport.hpp>

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <utility>

/// Keeps the calling thread for so long, as a callback does that computes.
inline void keep_busy(std::chrono::milliseconds span) {
    for (const auto until = std::chrono::steady_clock::now() + span; std::chrono::steady_clock::now() < until;) {
    }
}

/// What became of an exchange. Shared with it.
struct exchange_outcome {
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<pyaichat::result<pyaichat::http_response>> response;
    std::string streamed;
    std::thread::id thread;  ///< which called `finish`
    std::chrono::steady_clock::time_point finished_at;
    int finished = 0;
    std::atomic<int> requested = 0;
    std::atomic<bool> destroyed = false;

    [[nodiscard]] bool done() {
        const std::lock_guard lock(mutex);
        return finished > 0;
    }
    /// Whether it finishes within ten seconds, once and no more.
    [[nodiscard]] bool wait() {
        std::unique_lock lock(mutex);
        return changed.wait_for(lock, std::chrono::seconds(10), [&] { return finished > 0; }) && finished == 1;
    }
    [[nodiscard]] bool ok() {
        const std::lock_guard lock(mutex);
        return finished == 1 && response->has_value() && (*response)->status == 200;
    }
    [[nodiscard]] pyaichat::errc code() {
        const std::lock_guard lock(mutex);
        return response && !*response ? response->error().code : pyaichat::errc::internal;
    }
};

/// An exchange that is made of functions.
struct test_exchange final : pyaichat::http_exchange {
    pyaichat::http_request asked;
    std::shared_ptr<exchange_outcome> to = std::make_shared<exchange_outcome>();
    bool streamed = false;
    std::function<void()> on_request = {};
    std::function<bool(std::string_view)> on_piece = {};
    std::function<void()> on_finish = {};

    explicit test_exchange(pyaichat::http_request request) : asked(std::move(request)) {}
    ~test_exchange() override { to->destroyed = true; }

    pyaichat::result<pyaichat::http_request> request() override {
        ++to->requested;
        if (on_request) {
            on_request();
        }
        return std::move(asked);
    }
    bool streams() const noexcept override { return streamed; }
    bool take(std::string_view piece) override {
        {
            const std::lock_guard lock(to->mutex);
            to->streamed += piece;
        }
        return !on_piece || on_piece(piece);
    }
    void finish(pyaichat::result<pyaichat::http_response> outcome) override {
        if (on_finish) {
            on_finish();
        }
        const std::lock_guard lock(to->mutex);
        to->response.emplace(std::move(outcome));
        to->thread = std::this_thread::get_id();
        to->finished_at = std::chrono::steady_clock::now();
        ++to->finished;
        to->changed.notify_all();
    }
};

/// Starts an exchange; `prepare` may set its functions.
template <class Transport>
std::shared_ptr<exchange_outcome> begin_exchange(Transport& transport, pyaichat::http_request request,
                                                 const pyaichat::cancel_token& cancel = {},
                                                 const std::function<void(test_exchange&)>& prepare = {}) {
    auto exchange = std::make_unique<test_exchange>(std::move(request));
    if (prepare) {
        prepare(*exchange);
    }
    auto to = exchange->to;
    transport.start(std::move(exchange), cancel);
    return to;
}

inline pyaichat::http_request request_for_port(int port, pyaichat::duration timeout = std::chrono::seconds(10)) {
    pyaichat::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(port) + "/";
    request.body = "hello";
    request.timeout = timeout;
    return request;
}
