#pragma once
/// The members of `service_emulator`. The file of each service defines what differs, `check`, `respond` and `path_of_base_url`, and
/// instantiates the class.
#include "testing/emulation/loopback_server.hpp"

#include <pyaichat/testing/service_emulator.hpp>

#include <algorithm>
#include <condition_variable>
#include <deque>
#include <mutex>
#include <optional>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

template <class Reply, class Service>
struct service_emulator<Reply, Service>::state {
    static const std::string_view path_of_base_url;

    options chosen;
    mutable std::mutex mutex;
    mutable std::condition_variable received;
    std::deque<Reply> script;
    handler otherwise;
    std::vector<recorded_request> requests;
    std::unique_ptr<loopback_server> server;  // last: its threads use the rest

    /// Validates a request, with the mutex held. `target` is its path with the query.
    [[nodiscard]] std::optional<service_refusal> check(const recorded_request& request, std::string_view target) const;
    /// Makes the response to a recorded request, also to one that is refused.
    [[nodiscard]] loopback_reply respond(const recorded_request& request);

    /// Removes and returns the first reply of the script that fits.
    template <class Fits>
    [[nodiscard]] std::optional<Reply> take(Fits fits) {
        const std::lock_guard lock(mutex);
        const auto found = std::find_if(script.begin(), script.end(), fits);
        if (found == script.end()) {
            return std::nullopt;
        }
        std::optional<Reply> out = std::move(*found);
        script.erase(found);
        return out;
    }

    /// Asks the handler, if there is one.
    [[nodiscard]] std::optional<Reply> unscripted(const recorded_request& request) {
        handler make_reply;
        {
            const std::lock_guard lock(mutex);
            make_reply = otherwise;
        }
        return make_reply ? std::optional<Reply>(make_reply(request)) : std::nullopt;
    }

    /// Returns the next reply for a request that any reply fits, or `at_end`.
    [[nodiscard]] Reply next(const recorded_request& request, Reply (*at_end)()) {
        std::optional<Reply> reply = take([](const Reply&) { return true; });
        if (!reply) {
            reply = unscripted(request);
        }
        return reply ? *std::move(reply) : at_end();
    }

    [[nodiscard]] loopback_reply handle(const loopback_request& request) {
        recorded_request recorded;
        const std::size_t mark = std::min(request.target.find('?'), request.target.size());
        recorded.method = request.method;
        recorded.path = request.target.substr(0, mark);
        recorded.query = request.target.substr(std::min(mark + 1, request.target.size()));
        recorded.headers = request.headers;
        recorded.text = request.body;
        recorded.connection = request.connection;
        if (result<json> body = parse_json(request.body)) {
            recorded.body = *std::move(body);
        }
        {
            const std::lock_guard lock(mutex);
            if (chosen.strict) {
                recorded.refusal = check(recorded, request.target);
            }
            requests.push_back(recorded);
            if (chosen.on_request) {
                chosen.on_request(recorded);
            }
            received.notify_all();
        }
        return respond(recorded);
    }
};

template <class Reply, class Service>
service_emulator<Reply, Service>::service_emulator(options chosen) : state_(std::make_unique<state>()) {
    state_->chosen = std::move(chosen);
    state_->server =
        std::make_unique<loopback_server>([this](const loopback_request& request) { return state_->handle(request); }, state_->chosen.port);
}

template <class Reply, class Service>
service_emulator<Reply, Service>::service_emulator(std::initializer_list<Reply> script) : service_emulator(options{}) {
    const std::lock_guard lock(state_->mutex);
    state_->script.assign(script.begin(), script.end());
}

template <class Reply, class Service>
service_emulator<Reply, Service>::~service_emulator() {
    state_->server.reset();  // its threads use `state_`
}

template <class Reply, class Service>
std::string service_emulator<Reply, Service>::base_url() const {
    return "http://127.0.0.1:" + std::to_string(port()) + std::string(state::path_of_base_url);
}

template <class Reply, class Service>
int service_emulator<Reply, Service>::port() const noexcept {
    return state_->server->port();
}

template <class Reply, class Service>
void service_emulator<Reply, Service>::enqueue(Reply reply) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(reply));
}

template <class Reply, class Service>
void service_emulator<Reply, Service>::otherwise(handler make_reply) {
    const std::lock_guard lock(state_->mutex);
    state_->otherwise = std::move(make_reply);
}

template <class Reply, class Service>
std::vector<recorded_request> service_emulator<Reply, Service>::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

template <class Reply, class Service>
bool service_emulator<Reply, Service>::wait_for_requests(std::size_t count, duration timeout) const {
    std::unique_lock lock(state_->mutex);
    return state_->received.wait_for(lock, timeout, [&] { return state_->requests.size() >= count; });
}

template <class Reply, class Service>
std::size_t service_emulator<Reply, Service>::replies_left() const {
    const std::lock_guard lock(state_->mutex);
    return state_->script.size();
}

template <class Reply, class Service>
int service_emulator<Reply, Service>::connections() const {
    return state_->server->connections();
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
