#include <pyaichat/net/https.hpp>

#include "net/http_connection.hpp"
#include "net/resolver.hpp"
#include "net/system.hpp"

#include <algorithm>
#include <condition_variable>
#include <map>
#include <mutex>
#include <optional>
#include <stop_token>
#include <utility>
#include <vector>

namespace pyaichat::inline v0 {

namespace {

using std::chrono::steady_clock;
using namespace std::chrono_literals;
using net::http_connection;

constexpr std::size_t idle_per_origin = 8;
constexpr auto idle_for = 60s;  // services close idle connections after a few minutes
constexpr std::size_t addresses_tried = 4;
constexpr auto grace = 15ms;      // how long a cut exchange may take to come back before it is left behind: reading
                                  // the CA certificates alone takes OpenSSL longer, and cannot be interrupted
constexpr auto farewell = 250ms;  // how long the transport's end waits for exchanges that were left behind

steady_clock::time_point deadline_after(duration timeout) {
    return steady_clock::now() + std::clamp<duration>(timeout, duration::zero(), std::chrono::hours(24));
}

/// An exchange that runs on a thread of its own, so that its caller can leave whatever httplib and OpenSSL are waiting for.
struct exchange {
    std::shared_ptr<http_connection> connection;
    http_request request;
    std::string target;
    duration patience = {};

    std::mutex mutex;
    std::condition_variable changed;
    std::optional<http_connection::outcome> outcome;
    bool left_behind = false;
};

/// How many exchanges were left behind, so that the end of the transport can give them a moment.
struct stragglers {
    std::mutex mutex;
    std::condition_variable changed;
    int count = 0;
};

bool is_token(std::string_view text) {
    return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
        return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
               std::string_view("!#$%&'*+-.^_`|~").find(c) != std::string_view::npos;
    });
}

/// Nothing that the caller passes may end a line of the request early.
result<void> check(const http_request& request, const net::url& target) {
    if (!is_token(request.method)) {
        return failure{.code = errc::invalid_argument, .message = "the method is no token", .hint = "Use a method such as GET or POST."};
    }
    for (const http_header& header : request.headers) {
        const bool clean = std::none_of(header.value.begin(), header.value.end(),
                                        [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7f; });
        if (!is_token(header.name) || !clean) {
            return failure{.code = errc::invalid_argument,
                           .message = "the header \"" + (is_token(header.name) ? header.name : std::string("?")) + "\" is malformed",
                           .hint = "Leave control characters out of header names and values."};
        }
    }
    if (target.scheme == "http" && !target.loopback()) {
        return failure{.code = errc::invalid_argument,
                       .message = "http:// to " + target.host + ", which is not this machine",
                       .hint = "Use https://. Plain http:// is accepted for loopback addresses only."};
    }
    return {};
}

std::string origin_key(const net::url& target) {
    return target.scheme + "://" + target.host + ":" + std::to_string(target.port);
}

}  // namespace

struct https_transport::state {
    struct idle_connection {
        std::shared_ptr<http_connection> connection;
        steady_clock::time_point since;
    };

    https_options options;
    net::resolver names{&net::lookup_addresses};
    std::mutex mutex;
    std::map<std::string, std::vector<idle_connection>> idle;
    std::shared_ptr<stragglers> left_behind = std::make_shared<stragglers>();

    ~state() {
        std::unique_lock lock(left_behind->mutex);
        left_behind->changed.wait_for(lock, farewell, [this] { return left_behind->count == 0; });
    }

    std::shared_ptr<http_connection> take(const std::string& origin);
    void give_back(const std::string& origin, std::shared_ptr<http_connection> connection);
    result<std::vector<std::string>> addresses_of(const net::url& target, steady_clock::time_point deadline, const cancel_token& cancel);
    http_connection::outcome run(std::shared_ptr<http_connection> connection, const http_request& request, const net::url& target,
                                 duration patience, steady_clock::time_point deadline, const cancel_token& cancel);
};

/// A connection that is fit for use, the one that was used last first: the older ones may then grow old.
std::shared_ptr<http_connection> https_transport::state::take(const std::string& origin) {
    std::vector<idle_connection> worn_out;  // closed after the lock is released
    const std::lock_guard lock(mutex);
    std::vector<idle_connection>& candidates = idle[origin];
    while (!candidates.empty()) {
        idle_connection one = std::move(candidates.back());
        candidates.pop_back();
        if (steady_clock::now() - one.since < idle_for && one.connection->reusable()) {
            return std::move(one.connection);
        }
        worn_out.push_back(std::move(one));
    }
    return nullptr;
}

void https_transport::state::give_back(const std::string& origin, std::shared_ptr<http_connection> connection) {
    if (!connection->reusable()) {
        return;
    }
    std::optional<idle_connection> oldest;
    const std::lock_guard lock(mutex);
    std::vector<idle_connection>& kept = idle[origin];
    if (kept.size() >= idle_per_origin) {
        oldest = std::move(kept.front());
        kept.erase(kept.begin());
    }
    kept.push_back({std::move(connection), steady_clock::now()});
}

result<std::vector<std::string>> https_transport::state::addresses_of(const net::url& target, steady_clock::time_point deadline,
                                                                      const cancel_token& cancel) {
    if (target.host == "localhost") {
        return std::vector<std::string>{"127.0.0.1", "::1"};  // whatever the system's tables say, or when it has none
    }
    if (net::is_numeric_address(target.host)) {
        return std::vector<std::string>{target.host};
    }
    return names.resolve(target.host, deadline, cancel);
}

http_connection::outcome https_transport::state::run(std::shared_ptr<http_connection> connection, const http_request& request,
                                                     const net::url& target, duration patience, steady_clock::time_point deadline,
                                                     const cancel_token& cancel) {
    auto work = std::make_shared<exchange>();
    work->connection = std::move(connection);
    work->request = request;
    work->target = target.target;
    work->patience = patience;
    const std::stop_callback wake(cancel, [work] {
        const std::lock_guard lock(work->mutex);
        work->changed.notify_all();
    });
    result<std::thread> thread = net::start_quiet_thread([work, crowd = left_behind] {
        http_connection::outcome outcome = guarded(
            [&] { return work->connection->exchange(work->request, work->target, work->patience); },
            [](std::string_view text) {
                return http_connection::outcome{failure{.code = errc::internal, .message = "cpp-httplib threw: " + std::string(text)}};
            });
        const std::lock_guard lock(work->mutex);
        work->outcome = std::move(outcome);
        work->changed.notify_all();
        if (work->left_behind) {
            work->connection.reset();
            const std::lock_guard crowd_lock(crowd->mutex);
            --crowd->count;
            crowd->changed.notify_all();
        }
    });
    if (!thread) {
        return {thread.error(), http_connection::progress::nothing};
    }
    std::unique_lock lock(work->mutex);
    const auto finished = [&] { return work->outcome.has_value(); };
    work->changed.wait_until(lock, deadline, [&] { return finished() || cancel.stop_requested(); });
    // Again and again: httplib may be between two sockets, or about to connect the one that was shut down.
    for (const auto until = steady_clock::now() + grace; !finished() && steady_clock::now() < until;) {
        work->connection->cut();
        work->changed.wait_for(lock, 1ms, finished);
    }
    if (finished()) {
        http_connection::outcome outcome = std::move(*work->outcome);
        lock.unlock();
        thread->join();
        return outcome;
    }
    work->left_behind = true;
    {
        const std::lock_guard crowd_lock(left_behind->mutex);
        ++left_behind->count;
    }
    lock.unlock();
    thread->detach();
    return {failure{.code = errc::connection_failed, .message = "the exchange was left behind"}, http_connection::progress::nothing};
}

https_transport::https_transport(https_options options) : state_(std::make_shared<state>()) {
    state_->options = std::move(options);
}
https_transport::https_transport(https_transport&&) noexcept = default;
https_transport& https_transport::operator=(https_transport&&) noexcept = default;
https_transport::~https_transport() = default;

result<http_response> https_transport::send(const http_request& request, const cancel_token& cancel) {
    const result<net::url> target = net::parse_url(request.url);
    if (!target) {
        return target.error();
    }
    if (const result<void> fit = check(request, *target); !fit) {
        return fit.error();
    }
    const steady_clock::time_point deadline = deadline_after(request.timeout);
    const std::string origin = origin_key(*target);
    const auto left = [&] { return std::chrono::duration_cast<duration>(deadline - steady_clock::now()); };
    // What broke because it was cut is told as the reason why it was cut.
    const auto verdict = [&](failure error) -> failure {
        if (cancel.stop_requested()) {
            return {.code = errc::cancelled, .message = "the request to " + origin + " was cancelled"};
        }
        if (steady_clock::now() >= deadline && error.code != errc::timeout) {
            return {.code = errc::timeout,
                    .message = "no complete response of " + origin + " within " + describe(request.timeout),
                    .hint = "The service did not answer in time."};
        }
        return error;
    };
    const auto over = [&] { return cancel.stop_requested() || steady_clock::now() >= deadline; };
    if (over()) {
        return verdict({});
    }

    if (std::shared_ptr<http_connection> kept = state_->take(origin)) {
        http_connection::outcome outcome = state_->run(kept, request, *target, left(), deadline, cancel);
        if (outcome.response) {
            state_->give_back(origin, std::move(kept));
            return std::move(outcome.response);
        }
        // The server may have closed the kept connection just before it was used. Sending the request again is right only when it cannot
        // have been carried out, or when carrying it out twice is the same as once: a POST is left to the caller, who knows.
        const bool harmless = request.method == "GET" || request.method == "HEAD";
        if (over() || !harmless || outcome.reached == http_connection::progress::responded) {
            return verdict(std::move(outcome.response).error());
        }
    }

    const result<std::vector<std::string>> addresses = state_->addresses_of(*target, deadline, cancel);
    if (!addresses) {
        return verdict(addresses.error());
    }
    const std::size_t count = std::min(addresses->size(), addresses_tried);
    for (std::size_t index = 0;; ++index) {
        const bool last = index + 1 == count;
        auto fresh = std::make_shared<http_connection>(*target, (*addresses)[index], state_->options.ca_file);
        // A dead address must not use up the time of the ones behind it.
        const duration patience = last ? left() : std::min<duration>(left() / 2, 3s);
        http_connection::outcome outcome = state_->run(fresh, request, *target, patience, deadline, cancel);
        if (outcome.response) {
            state_->give_back(origin, std::move(fresh));
            return std::move(outcome.response);
        }
        if (last || over() || outcome.reached != http_connection::progress::nothing) {
            return verdict(std::move(outcome.response).error());
        }
    }
}

result<http_response> https_transport::stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    result<http_response> response = send(request, cancel);
    if (response && response->status >= 200 && response->status < 300) {
        if (!response->body.empty() && !sink(response->body)) {
            return failure{.code = errc::cancelled, .message = "the receiver of the response wanted no more of it"};
        }
        response->body.clear();
    }
    return response;
}

}  // namespace pyaichat::inline v0
