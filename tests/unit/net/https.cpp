#include <pyaichat/net/https.hpp>

#include "testing/emulation/loopback_server.hpp"

#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <future>
#include <string>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

static_assert(ai::http_transport<ai::net::https_transport>);

namespace {

// What is promised, and what a busy machine may make of it.
constexpr auto promptly = 50ms;
constexpr auto on_a_busy_machine = 500ms;

using ending = fake::loopback_reply::ending;

ai::http_request request_to(const fake::loopback_server& server, ai::duration timeout = 10s) {
    ai::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(server.port()) + "/path?query=1";
    request.headers = {{"Content-Type", "text/plain"}, {"X-Secret", "s3cr3t"}};
    request.body = "hello";
    request.timeout = timeout;
    return request;
}

fake::loopback_reply ok(std::string_view body) {
    return {.bytes = fake::http_message(200, {{"X-Answer", "yes"}}, body)};
}

/// Sends and trips the token once the server has seen the request (`after` later); the time from the trip to the return.
struct aborted {
    ai::result<ai::http_response> response;
    std::chrono::milliseconds late;
};

aborted cancel_when(ai::net::https_transport& transport, const ai::http_request& request, const std::function<void()>& ready) {
    ai::cancel_source stop;
    auto sent = std::async(std::launch::async, [&] { return transport.send(request, stop.get_token()); });
    ready();
    const auto tripped = steady_clock::now();
    stop.request_stop();
    auto response = sent.get();
    return {std::move(response), std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - tripped)};
}

}  // namespace

TEST_CASE("a request arrives as it was given and the response comes back whole") {
    std::promise<fake::loopback_request> seen;
    fake::loopback_server server([&](const fake::loopback_request& request) {
        seen.set_value(request);
        return ok("world");
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server), {});
    REQUIRE(response);
    CHECK(response->status == 200);
    CHECK(response->body == "world");
    CHECK(fake::header_value(response->headers, "x-answer") == "yes");
    const auto request = seen.get_future().get();
    CHECK(request.method == "POST");
    CHECK(request.target == "/path?query=1");
    CHECK(request.body == "hello");
    CHECK(fake::header_value(request.headers, "X-Secret") == "s3cr3t");
    CHECK(fake::header_value(request.headers, "Content-Type") == "text/plain");
}

TEST_CASE("requests one after another share a connection, and do not wait for delayed acknowledgements") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("x"); });
    ai::net::https_transport transport;
    const auto begin = steady_clock::now();
    for (int i = 0; i < 20; ++i) {
        REQUIRE(transport.send(request_to(server), {}));
    }
    CHECK(server.connections() == 1);
    CHECK(steady_clock::now() - begin < 700ms);  // with Nagle's delay it is 20 times 40 ms
}

TEST_CASE("requests at the same time have a connection each, and they are kept") {
    std::atomic<int> waiting = 0;
    fake::loopback_server server([&](const fake::loopback_request&) {
        ++waiting;
        for (const auto until = steady_clock::now() + 5s; waiting < 4 && steady_clock::now() < until;) {
            std::this_thread::yield();
        }
        return ok("x");
    });
    ai::net::https_transport transport;
    const auto four = [&] {
        std::vector<std::future<bool>> all;
        for (int i = 0; i < 4; ++i) {
            all.push_back(std::async(std::launch::async, [&] { return transport.send(request_to(server), {}).has_value(); }));
        }
        for (auto& one : all) {
            CHECK(one.get());
        }
    };
    four();
    waiting = 0;
    four();
    CHECK(server.connections() == 4);
}

TEST_CASE("a status that is an error is a response, and a redirect is not followed") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = fake::http_message(302, {{"Location", "/elsewhere"}}, "moved")};
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server), {});
    REQUIRE(response);
    CHECK(response->status == 302);
    CHECK(response->body == "moved");
}

TEST_CASE("a chunked body in drips is put together") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n",
                .piece = 1,
                .pause = 1ms};
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server), {});
    REQUIRE(response);
    CHECK(response->body == "hello world");
}

TEST_CASE("a body over the limit is refused while it arrives") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(std::string(100'000, 'x')); });
    ai::net::https_transport transport;
    auto request = request_to(server);
    request.max_response_bytes = 99'999;
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::too_large);
    request.max_response_bytes = 100'000;
    CHECK(transport.send(request, {}));
}

TEST_CASE("a dead server is a failed connection that says why") {
    int port = 0;
    {
        fake::loopback_server server([](const fake::loopback_request&) { return ok(""); });
        port = server.port();
    }
    ai::net::https_transport transport;
    ai::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(port) + "/";
    request.timeout = 5s;
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
    CHECK(response.error().hint == "The service could not be reached (connection refused).");
}

TEST_CASE("a response that breaks off is a failed connection") {
    const auto then = GENERATE(ending::close, ending::reset);
    const std::string whole = fake::http_message(200, {}, "0123456789");
    const std::size_t sent = GENERATE_COPY(std::size_t{0}, std::size_t{10}, whole.size() - 5);
    fake::loopback_server server(
        [&](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = whole.substr(0, sent), .then = then}; });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::connection_failed);
    CHECK_FALSE(response.error().hint.empty());
    CHECK(response.error().message.find("s3cr3t") == std::string::npos);
    CHECK(server.connections() == 1);  // a POST is not sent again
}

TEST_CASE("a refusal is known by its status, also when its text breaks off or is too long") {
    const auto then = GENERATE(ending::close, ending::reset);
    const std::string whole = fake::http_message(403, {}, std::string(1000, 'x'));
    fake::loopback_server server(
        [&](const fake::loopback_request&) -> fake::loopback_reply { return {.bytes = whole.substr(0, whole.size() - 5), .then = then}; });
    ai::net::https_transport transport;
    ai::http_request request = request_to(server);
    const auto broken = transport.send(request, {});
    REQUIRE(broken);
    CHECK(broken->status == 403);
    request.max_response_bytes = 100;
    const auto long_one = transport.send(request, {});
    REQUIRE(long_one);
    CHECK(long_one->status == 403);
    CHECK(long_one->body.size() <= 100);
}

TEST_CASE("the text of a refusal is not waited for when it does not come") {
    const std::string whole = fake::http_message(429, {{"Retry-After", "7"}}, std::string(100'000, 'x'));
    const auto reply = GENERATE_REF(fake::loopback_reply{.bytes = whole.substr(0, 200), .then = ending::hang},
                                    fake::loopback_reply{.bytes = whole, .piece = 1, .pause = 5ms});
    fake::loopback_server server([&](const fake::loopback_request&) { return reply; });
    ai::net::https_transport transport;
    ai::http_request request = request_to(server);
    request.timeout = 1h;
    const auto response = transport.send(request, {});  // or the test never ends
    REQUIRE(response);
    CHECK(response->status == 429);
    CHECK(std::any_of(response->headers.begin(), response->headers.end(), [](const auto& one) { return one.value == "7"; }));
}

TEST_CASE("what is no HTTP is no service there") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply {
        return {.bytes = "SSH-2.0-OpenSSH_9.2\r\n\r\n", .then = ending::close};
    });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::unreachable);
}

TEST_CASE("a kept connection that the server has closed since is replaced unnoticed") {
    fake::loopback_server server([](const fake::loopback_request& request) -> fake::loopback_reply {
        return {.bytes = fake::http_message(200, {}, "x"), .then = request.connection == 1 ? ending::close : ending::keep};
    });
    ai::net::https_transport transport;
    REQUIRE(transport.send(request_to(server), {}));
    for (const auto until = steady_clock::now() + 5s; server.open_connections() > 0 && steady_clock::now() < until;) {
        std::this_thread::yield();  // until the FIN is on its way
    }
    CHECK(transport.send(request_to(server), {}));
    CHECK(server.connections() == 2);
}

TEST_CASE("a kept connection that dies before a byte of the response is replaced when the request can be repeated") {
    const auto& [method, repeatable, sent_again] =
        GENERATE(table<std::string, bool, bool>({{"GET", false, true}, {"POST", true, true}, {"POST", false, false}}));
    const auto then = GENERATE(ending::close, ending::reset);
    std::atomic<int> count = 0;
    fake::loopback_server server(
        [&](const fake::loopback_request&) -> fake::loopback_reply { return ++count == 2 ? fake::loopback_reply{.then = then} : ok("x"); });
    ai::net::https_transport transport;
    auto request = request_to(server);
    request.method = method;
    request.body.clear();
    request.repeatable = repeatable;
    REQUIRE(transport.send(request, {}));
    CHECK(transport.send(request, {}).has_value() == sent_again);
    CHECK(count == (sent_again ? 3 : 2));
}

TEST_CASE("a request is not sent again when a byte of the response has come, or when the fresh connection dies too") {
    const std::string beginning = GENERATE(as<std::string>(), "H", "");
    std::atomic<int> count = 0;
    fake::loopback_server server([&](const fake::loopback_request&) -> fake::loopback_reply {
        return ++count >= 2 ? fake::loopback_reply{.bytes = beginning, .then = ending::close} : ok("x");
    });
    ai::net::https_transport transport;
    auto request = request_to(server);
    request.repeatable = true;
    REQUIRE(transport.send(request, {}));
    CHECK_FALSE(transport.send(request, {}));
    CHECK(count == (beginning.empty() ? 3 : 2));
}

TEST_CASE("the time limit holds, whatever the server does") {
    fake::loopback_reply reply;
    SECTION("no answer") {
        reply = {.then = ending::hang};
    }
    SECTION("half a head") {
        reply = {.bytes = "HTTP/1.1 200 OK\r\nContent-", .then = ending::hang};
    }
    SECTION("half a body") {
        reply = {.bytes = fake::http_message(200, {}, "0123456789").substr(0, 45), .then = ending::hang};
    }
    SECTION("a body in endless drips") {
        reply = {.bytes = fake::http_message(200, {}, std::string(100'000, 'x')), .piece = 1, .pause = 5ms};
    }
    SECTION("a head in endless drips") {
        reply = {.bytes = "HTTP/1.1 200 OK\r\nX: " + std::string(100'000, 'x'), .piece = 1, .pause = 5ms};
    }
    fake::loopback_server server([&](const fake::loopback_request&) { return reply; });
    ai::net::https_transport transport;
    const auto begin = steady_clock::now();
    const auto response = transport.send(request_to(server, 150ms), {});
    const auto took = steady_clock::now() - begin;
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::timeout);
    CHECK(response.error().hint == "The service did not answer in time.");
    CHECK(took >= 150ms);
    CHECK(took < 150ms + on_a_busy_machine);
}

TEST_CASE("a request without time left is not sent") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("x"); });
    ai::net::https_transport transport;
    const auto response = transport.send(request_to(server, 0s), {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::timeout);
    CHECK(server.connections() == 0);
}

TEST_CASE("a cancel ends the exchange at once in every phase") {
    fake::loopback_reply reply;
    SECTION("before the head") {
        reply = {.then = ending::hang};
    }
    SECTION("within the head") {
        reply = {.bytes = "HTTP/1.1 200 OK\r\nContent-", .then = ending::hang};
    }
    SECTION("within the body") {
        reply = {.bytes = fake::http_message(200, {}, "0123456789").substr(0, 45), .then = ending::hang};
    }
    SECTION("within drips") {
        reply = {.bytes = fake::http_message(200, {}, std::string(100'000, 'x')), .piece = 1, .pause = 1ms};
    }
    std::atomic<int> arrived = 0;
    fake::loopback_server server([&](const fake::loopback_request&) {
        ++arrived;
        return reply;
    });
    ai::net::https_transport transport;
    auto best = std::chrono::milliseconds::max();
    for (int i = 1; i <= 3; ++i) {
        const auto outcome = cancel_when(transport, request_to(server), [&] { REQUIRE(settles([&] { return arrived == i; })); });
        REQUIRE_FALSE(outcome.response);
        CHECK(outcome.response.error().code == ai::errc::cancelled);
        CHECK(outcome.late < on_a_busy_machine);
        best = std::min(best, outcome.late);
    }
    CHECK(best < promptly);
}

TEST_CASE("a token that was tripped before means that nothing is sent") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("x"); });
    ai::net::https_transport transport;
    ai::cancel_source stop;
    stop.request_stop();
    const auto response = transport.send(request_to(server), stop.get_token());
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::cancelled);
    CHECK(server.connections() == 0);
}

TEST_CASE("a thousand aborted requests leave no thread, no descriptor and no signal behind") {
    std::atomic<int> arrived = 0;
    fake::loopback_server server([&](const fake::loopback_request&) -> fake::loopback_reply {
        ++arrived;
        return {.then = ending::hang};
    });
    const auto before = count_process();
    {
        ai::net::https_transport transport;
        for (int i = 0; i < 1'000; ++i) {
            const auto outcome = cancel_when(transport, request_to(server), [&] {
                for (const auto until = steady_clock::now() + 5s; arrived <= i && steady_clock::now() < until;) {
                    std::this_thread::yield();
                }
            });
            REQUIRE_FALSE(outcome.response);
            REQUIRE(outcome.response.error().code == ai::errc::cancelled);
        }
    }
    CHECK(settles([&] { return server.open_connections() == 0; }));
    CHECK(settles([&] { return count_process().threads <= before.threads + 1 && count_process().descriptors <= before.descriptors; }));
    sigset_t pending;
    sigpending(&pending);
    CHECK(sigismember(&pending, SIGPIPE) == 0);
}

TEST_CASE("the signal mask and disposition are as they were") {
    struct sigaction before = {};
    sigaction(SIGPIPE, nullptr, &before);
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply { return {.then = ending::reset}; });
    {
        ai::net::https_transport transport;
        auto request = request_to(server);
        request.body.assign(8'000'000, 'x');  // written into a connection that goes away
        CHECK_FALSE(transport.send(request, {}));
    }
    struct sigaction after = {};
    sigaction(SIGPIPE, nullptr, &after);
    CHECK(after.sa_handler == before.sa_handler);
    CHECK(after.sa_handler == SIG_DFL);
    sigset_t mask;
    pthread_sigmask(SIG_SETMASK, nullptr, &mask);
    CHECK(sigismember(&mask, SIGPIPE) == 0);
}

TEST_CASE("plain http is refused except to this machine") {
    ai::net::https_transport transport;
    ai::http_request request;
    request.url = "http://example.org/";
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::invalid_argument);
    CHECK(response.error().hint.find("https://") != std::string::npos);
}

TEST_CASE("localhost is resolved and reached") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("x"); });
    ai::net::https_transport transport;
    auto request = request_to(server);
    request.url = "http://localhost:" + std::to_string(server.port()) + "/";
    CHECK(transport.send(request, {}));
}

TEST_CASE("headers and methods that would break the request apart are refused, without their values in the text") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("x"); });
    ai::net::https_transport transport;
    auto request = request_to(server);
    SECTION("a line break in a value") {
        request.headers = {{"X-Key", "secret\r\nInjected: yes"}};
    }
    SECTION("a bad name") {
        request.headers = {{"X Key", "secret"}};
    }
    SECTION("an empty name") {
        request.headers = {{"", "secret"}};
    }
    SECTION("a bad method") {
        request.method = "GET /x HTTP/1.1\r\nsecret";
    }
    const auto response = transport.send(request, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::invalid_argument);
    CHECK(response.error().message.find("secret") == std::string::npos);
    CHECK(server.connections() == 0);
}

TEST_CASE("a compressed body is decoded, and the limit counts what comes out") {
    fake::loopback_server server([](const fake::loopback_request& request) -> fake::loopback_reply {
        if (fake::header_value(request.headers, "Accept-Encoding").find("gzip") == std::string::npos) {
            return ok("hello");
        }
        // A stored (uncompressed) deflate block: valid gzip that can be written down here.
        const std::string gzip("\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x03\x01\x05\x00\xfa\xffhello\x86\xa6\x10\x36\x05\x00\x00\x00", 28);
        return {.bytes = fake::http_message(200, {{"Content-Encoding", "gzip"}}, gzip)};
    });
    ai::net::https_transport transport;
    auto request = request_to(server);
    const auto response = transport.send(request, {});
    REQUIRE(response);
    CHECK(response->body == "hello");
    request.max_response_bytes = 4;
    CHECK(transport.send(request, {}).error().code == ai::errc::too_large);
}

TEST_CASE("a connection that is never established is left at a cancel and at the time limit") {
    const deaf_listener deaf;
    ai::net::https_transport transport;
    ai::http_request request;
    request.url = "http://127.0.0.1:" + std::to_string(deaf.port()) + "/";
    request.timeout = 100ms;
    const auto begin = steady_clock::now();
    const auto late = transport.send(request, {});
    CHECK(steady_clock::now() - begin < 100ms + on_a_busy_machine);
    REQUIRE_FALSE(late);
    CHECK(late.error().code == ai::errc::timeout);

    request.timeout = 10s;
    const auto before = count_process();
    const auto outcome =
        cancel_when(transport, request, [&] { REQUIRE(settles([&] { return count_process().descriptors > before.descriptors; })); });
    REQUIRE_FALSE(outcome.response);
    CHECK(outcome.response.error().code == ai::errc::cancelled);
    CHECK(outcome.late < on_a_busy_machine);
}
