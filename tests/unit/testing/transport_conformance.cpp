#include <pyaichat/testing/transport_conformance.hpp>

#include <pyaichat/net/https.hpp>

#include "catch.hpp"

#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <memory>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;
using promise = fake::transport_promise;
using response = ai::result<ai::http_response>;
using ai::net::https_transport;

namespace {

/// One exchange of a wrong transport with the help of a right one. `sink` is null for `send`.
using wrong_exchange = std::function<response(https_transport& good, const ai::http_request& request, const ai::http_body_sink* sink,
                                              const ai::cancel_token& cancel)>;

response perform(https_transport& good, const ai::http_request& request, const ai::http_body_sink* sink, const ai::cancel_token& cancel) {
    return sink != nullptr ? good.stream(request, *sink, cancel) : good.send(request, cancel);
}

class wrong_transport {
public:
    explicit wrong_transport(wrong_exchange exchange) : exchange_(std::move(exchange)) {}
    response send(const ai::http_request& request, const ai::cancel_token& cancel) { return exchange_(good_, request, nullptr, cancel); }
    response stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        return exchange_(good_, request, &sink, cancel);
    }

private:
    https_transport good_{{.proxy = ""}};
    wrong_exchange exchange_;
};

constexpr auto slack = 300ms;
constexpr auto too_late = 2 * slack;

/// These wait for time to pass. A mutant is judged by one of them only if it breaks that one.
const std::set<promise> slow = {promise::abort_connecting, promise::abort_handshake, promise::abort_sending,    promise::abort_head,
                                promise::abort_body,       promise::deadline,        promise::deadline_of_drips};

void check_that_it_breaks_only(promise broken, wrong_exchange exchange) {
    fake::transport_subject subject;
    subject.make = [exchange = std::move(exchange)] { return ai::any_http_transport(wrong_transport(exchange)); };
    subject.slack = slack;
    subject.patience = 2s;
    std::copy_if(slow.begin(), slow.end(), std::back_inserter(subject.without), [&](promise each) { return each != broken; });
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    REQUIRE(report.findings.size() == 1);
    CHECK(report.findings[0].check == fake::to_string(broken));
}

/// Trips a token some time after another.
class late_cancel {
public:
    late_cancel(const ai::cancel_token& cancel, ai::duration by)
        : wake_(cancel,
                [this] {
                    const std::lock_guard lock(mutex_);
                    changed_.notify_all();
                }),
          thread_([this, cancel, by] {
              std::unique_lock lock(mutex_);
              changed_.wait(lock, [&] { return ended_ || cancel.stop_requested(); });
              if (!changed_.wait_for(lock, by, [&] { return ended_ || hurried_; }) || hurried_) {
                  stop_.request_stop();
              }
          }) {}
    ~late_cancel() {
        {
            const std::lock_guard lock(mutex_);
            ended_ = true;
            changed_.notify_all();
        }
        thread_.join();
    }
    void hurry() {
        const std::lock_guard lock(mutex_);
        hurried_ = true;
        changed_.notify_all();
    }
    [[nodiscard]] ai::cancel_token token() const { return stop_.get_token(); }

private:
    std::mutex mutex_;
    std::condition_variable changed_;
    bool ended_ = false;
    bool hurried_ = false;
    ai::cancel_source stop_;
    ai::cancel_callback<std::function<void()>> wake_;
    std::thread thread_;
};

response perform_late(https_transport& good, const ai::http_request& request, const ai::http_body_sink* sink,
                      const ai::cancel_token& cancel) {
    const late_cancel late(cancel, too_late);
    return perform(good, request, sink, late.token());
}

/// Whether a connection to the port of the URL comes about within some time.
bool connects(const ai::http_request& request, int milliseconds) {
    const int probe = ::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
    sockaddr_in address = {};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    address.sin_port = htons(static_cast<std::uint16_t>(std::stoi(request.url.substr(request.url.rfind(':') + 1))));
    ::connect(probe, reinterpret_cast<const sockaddr*>(&address), sizeof address);
    pollfd wait = {probe, POLLOUT, 0};
    const bool connected = ::poll(&wait, 1, milliseconds) == 1;
    ::close(probe);
    return connected;
}

bool is_local(const ai::http_request& request) {
    return request.url.starts_with("http://127.0.0.1:") && std::count(request.url.begin(), request.url.end(), ':') == 2;
}

}  // namespace

TEST_CASE("every promise has a name of its own") {
    std::set<std::string_view> names;
    for (const promise each : fake::all_transport_promises()) {
        CHECK(fake::to_string(each) != "unknown");
        names.insert(fake::to_string(each));
    }
    CHECK(names.size() == fake::all_transport_promises().size());
}

TEST_CASE("a right transport passes, and the report names what was not checked and how long cancellations took") {
    fake::transport_subject subject;
    subject.make = [] { return ai::any_http_transport(https_transport({.proxy = ""})); };
    for (const promise each : fake::all_transport_promises()) {
        if (each != promise::abort_head && each != promise::keeps_connections) {
            subject.without.push_back(each);
        }
    }
    const fake::conformance_report report = fake::check_transport(subject);
    INFO(report.text());
    CHECK(report.ok());
    CHECK(report.passed.size() == 2);
    CHECK(report.skipped.size() == fake::all_transport_promises().size() - 2);
    CHECK(report.text().find("after a cancellation while it waits for the head") != std::string::npos);
}

TEST_CASE("a transport that drops a repeated header is rejected") {
    check_that_it_breaks_only(promise::whole_responses, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (outcome && !outcome->headers.empty()) {
            std::set<std::string> seen;
            std::erase_if(outcome->headers, [&](const ai::http_header& header) { return !seen.insert(header.name).second; });
        }
        return outcome;
    });
}

TEST_CASE("a transport that collects the body before it streams it is rejected") {
    check_that_it_breaks_only(promise::streams, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (sink == nullptr || request.url.ends_with("/hang") == false) {
            return perform(good, request, sink, cancel);
        }
        return good.send(request, cancel);
    });
}

TEST_CASE("a transport that streams and returns the body too is rejected") {
    check_that_it_breaks_only(promise::streams, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        std::string body;
        const ai::http_body_sink keeping = [&](std::string_view piece) {
            body += piece;
            return (*sink)(piece);
        };
        response outcome = perform(good, request, sink != nullptr ? &keeping : nullptr, cancel);
        if (outcome && sink != nullptr && outcome->body.empty() && body.size() > 200'000) {
            outcome->body = body;
        }
        return outcome;
    });
}

TEST_CASE("a transport that ignores the answer of the sink is rejected") {
    check_that_it_breaks_only(promise::sink_stops, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        const ai::http_body_sink deaf = [&](std::string_view piece) { return (*sink)(piece) || true; };
        return perform(good, request, sink != nullptr ? &deaf : nullptr, cancel);
    });
}

TEST_CASE("a transport that decodes the target is rejected") {
    check_that_it_breaks_only(promise::sends_requests, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        if (const std::size_t at = request.url.find("%2F"); at != std::string::npos) {
            request.url.replace(at, 3, "/");
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that takes a cut stream for a whole one is rejected") {
    check_that_it_breaks_only(promise::cut_bodies, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (sink != nullptr && !outcome && outcome.error().code == ai::errc::connection_failed) {
            return response(ai::http_response{.status = 200});
        }
        return outcome;
    });
}

TEST_CASE("a transport that opens a connection for each request is rejected") {
    check_that_it_breaks_only(promise::keeps_connections, [](auto&, const auto& request, const auto* sink, const auto& cancel) {
        https_transport fresh({.proxy = ""});
        return perform(fresh, request, sink, cancel);
    });
}

TEST_CASE("a transport that repeats nothing is rejected") {
    check_that_it_breaks_only(promise::repeats, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        request.repeatable = false;
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that repeats every failed request is rejected") {
    check_that_it_breaks_only(promise::never_repeats, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (!outcome && outcome.error().code == ai::errc::connection_failed) {
            outcome = perform(good, request, sink, cancel);
        }
        return outcome;
    });
}

TEST_CASE("a transport that looks at the token only after it has connected is rejected") {
    check_that_it_breaks_only(promise::abort_connecting, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (sink != nullptr && is_local(request) && request.method == "GET" && !cancel.stop_requested() &&
            !connects(request, static_cast<int>(std::chrono::milliseconds(too_late).count()))) {
            return response(ai::failure{.code = cancel.stop_requested() ? ai::errc::cancelled : ai::errc::timeout, .message = "late"});
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that looks at the token only after the TLS handshake is rejected") {
    check_that_it_breaks_only(promise::abort_handshake, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        return request.url.starts_with("https") ? perform_late(good, request, sink, cancel) : perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that looks at the token only after it has sent the request is rejected") {
    check_that_it_breaks_only(promise::abort_sending, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        return request.body.size() > 1'000'000 ? perform_late(good, request, sink, cancel) : perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that looks at the token only after the head is rejected") {
    check_that_it_breaks_only(promise::abort_head, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (sink == nullptr || cancel.stop_requested()) {
            return perform(good, request, sink, cancel);
        }
        late_cancel late(cancel, too_late);
        const ai::http_body_sink hurrying = [&](std::string_view piece) {
            late.hurry();
            return (*sink)(piece);
        };
        return perform(good, request, &hurrying, late.token());
    });
}

TEST_CASE("a transport that looks at the token only before the body is rejected") {
    check_that_it_breaks_only(promise::abort_body, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        return sink != nullptr && !cancel.stop_requested() ? perform_late(good, request, sink, cancel)
                                                           : perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that does not look at the token before it connects is rejected") {
    check_that_it_breaks_only(promise::abort_before_start, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (cancel.stop_requested() && is_local(request)) {
            static_cast<void>(connects(request, 1'000));
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport whose timeout does not cover the TLS handshake is rejected") {
    check_that_it_breaks_only(promise::deadline, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        if (request.url.starts_with("https")) {
            request.timeout += too_late;
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport whose timeout starts again with each piece is rejected") {
    check_that_it_breaks_only(promise::deadline_of_drips, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        if (sink != nullptr && request.url.ends_with("/body")) {
            request.timeout += too_late;
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that lets a byte too much through is rejected") {
    check_that_it_breaks_only(promise::bounded_body, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        ++request.max_response_bytes;
        response outcome = perform(good, request, sink, cancel);
        return outcome;
    });
}

TEST_CASE("a transport that follows redirects is rejected") {
    check_that_it_breaks_only(promise::no_redirects, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (outcome && outcome->status / 100 == 3) {
            request.url.replace(request.url.rfind('/'), std::string::npos, "/target");
            outcome = perform(good, request, sink, cancel);
        }
        return outcome;
    });
}

TEST_CASE("a transport that tries plain HTTP with other hosts is rejected") {
    check_that_it_breaks_only(promise::no_plain_http, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (request.url.starts_with("http://192.")) {
            return response(ai::failure{.code = ai::errc::connection_failed, .message = "no route"});
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that calls a refused connection internal is rejected") {
    check_that_it_breaks_only(promise::failure_codes, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (!outcome && outcome.error().message.find("could not connect") != std::string::npos) {
            outcome.error().code = ai::errc::internal;
        }
        return outcome;
    });
}

TEST_CASE("a transport that prints the headers of a failed request is rejected") {
    check_that_it_breaks_only(promise::no_secrets, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (!outcome && !request.headers.empty()) {
            outcome.error().message += " (" + request.headers[0].name + ": " + request.headers[0].value + ")";
        }
        return outcome;
    });
}

TEST_CASE("a transport that repairs malformed headers is rejected") {
    check_that_it_breaks_only(promise::no_injection, [](auto& good, auto request, const auto* sink, const auto& cancel) {
        for (ai::http_header& header : request.headers) {
            std::erase_if(header.value, [](char c) { return c == '\r' || c == '\n'; });
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that mixes up responses under load is rejected") {
    auto running = std::make_shared<std::atomic<int>>(0);
    check_that_it_breaks_only(promise::concurrent_use, [running](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        const bool loaded = running->fetch_add(1) >= 6;
        response outcome = perform(good, request, sink, cancel);
        running->fetch_sub(1);
        if (loaded && outcome) {
            outcome->body += "of somebody else";
        }
        return outcome;
    });
}

TEST_CASE("a transport that lets SIGPIPE through is rejected") {
    check_that_it_breaks_only(promise::no_signals, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (!outcome && request.body.size() > 1'000'000) {
            ::raise(SIGPIPE);
        }
        return outcome;
    });
}

TEST_CASE("a transport that ignores SIGPIPE for the whole process is rejected") {
    check_that_it_breaks_only(promise::no_signals, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        if (request.body.size() > 1'000'000) {
            ::signal(SIGPIPE, SIG_IGN);
        }
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that blocks SIGPIPE and does not restore the mask is rejected") {
    check_that_it_breaks_only(promise::no_signals, [](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        sigset_t pipe;
        sigemptyset(&pipe);
        sigaddset(&pipe, SIGPIPE);
        pthread_sigmask(SIG_BLOCK, &pipe, nullptr);
        return perform(good, request, sink, cancel);
    });
}

TEST_CASE("a transport that leaves a descriptor is rejected") {
    std::mutex mutex;
    std::vector<int> leaked;
    check_that_it_breaks_only(promise::nothing_left, [&](auto& good, const auto& request, const auto* sink, const auto& cancel) {
        response outcome = perform(good, request, sink, cancel);
        if (!outcome && outcome.error().code == ai::errc::cancelled) {
            const std::lock_guard lock(mutex);
            leaked.push_back(::dup(STDERR_FILENO));
        }
        return outcome;
    });
    std::for_each(leaked.begin(), leaked.end(), [](int descriptor) { ::close(descriptor); });
}
