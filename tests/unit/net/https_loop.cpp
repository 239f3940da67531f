#include "net/loop_runner.hpp"
#include "net/transport_core.hpp"

#include "testing/emulation/loopback_server.hpp"

#include "async_bench.hpp"
#include "catch.hpp"
#include "process_counts.hpp"
#include "raw_server.hpp"

#include <poll.h>

#include <algorithm>
#include <future>
#include <stdexcept>

namespace ai = pyaichat;
namespace net = pyaichat::net;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace https_loop_tests {
using std::chrono::steady_clock;
using ending = fake::loopback_reply::ending;

static_assert(ai::async_http_transport<net::https_transport>);
static_assert(std::copyable<net::https_transport>);

namespace {

constexpr auto on_a_busy_machine = 500ms;

net::transport_core::parts on_backend(net::poller_kind kind) {
    return {.poller = kind};
}

fake::loopback_reply ok(std::string_view body = "x") {
    return {.bytes = fake::http_message(200, {}, body)};
}

void wait_for_work(const net::https_transport& transport) {
    pollfd readable = {transport.fd(), POLLIN, 0};
    REQUIRE(::poll(&readable, 1, 10'000) == 1);
}

}  // namespace

TEST_CASE("an exchange that is started finishes on the transport's thread, which ends when it is idle") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok("world"); });
    auto parts = on_backend(GENERATE(net::poller_kind::best, net::poller_kind::portable));
    parts.thread_idle = 1ms;
    const auto before = count_process();
    net::transport_core transport(parts);
    const auto outcome = begin_exchange(transport, request_for_port(server.port()));
    REQUIRE(outcome->wait());
    CHECK(outcome->ok());
    CHECK((*outcome->response)->body == "world");
    CHECK(outcome->thread != std::this_thread::get_id());
    CHECK(outcome->requested == 1);
    CHECK(settles([&] { return outcome->destroyed.load(); }));
    CHECK(settles([&] { return count_process().threads <= before.threads + 1; }));  // one of the server
    const auto again = begin_exchange(transport, request_for_port(server.port()));
    REQUIRE(again->wait());
    CHECK(again->ok());
    CHECK(server.connections() == 1);
}

TEST_CASE("a thread with the claim does everything itself, and starts nothing before it runs the loop") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::transport_core transport(on_backend(GENERATE(net::poller_kind::best, net::poller_kind::portable)));
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    CHECK_FALSE(loop->claim());
    CHECK_FALSE(std::async(std::launch::async, [&] { return loop->claim(); }).get());
    const auto outcome =
        begin_exchange(transport, request_for_port(server.port()), {}, [&](test_exchange& one) { one.on_finish = [&] { loop->wake(); }; });
    CHECK(outcome->requested == 0);
    REQUIRE(loop->run(10s));
    CHECK(outcome->ok());
    CHECK(outcome->thread == std::this_thread::get_id());
    loop->release();
    CHECK(loop->claim());
    loop->release();
}

TEST_CASE("a loop whose thread has work cannot be claimed, and can when the work is done") {
    std::promise<void> gate;
    const std::shared_future<void> open(gate.get_future());
    fake::loopback_server server([&](const fake::loopback_request&) {
        open.wait();
        return ok();
    });
    net::transport_core transport({});
    const auto outcome = begin_exchange(transport, request_for_port(server.port()));
    CHECK_FALSE(transport.loop()->claim());
    gate.set_value();
    REQUIRE(outcome->wait());
    CHECK(settles([&] { return transport.loop()->claim(); }));
    transport.loop()->release();
}

TEST_CASE("work of another thread takes the loop from a thread that does not run it") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::transport_core transport({});
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    const auto mine = begin_exchange(transport, request_for_port(server.port()));
    const auto other = std::async(std::launch::async, [&] { return begin_exchange(transport, request_for_port(server.port())); }).get();
    REQUIRE(other->wait());
    REQUIRE(mine->wait());
    CHECK(mine->ok());
    CHECK(other->ok());
    CHECK(mine->thread != std::this_thread::get_id());
    CHECK_FALSE(loop->run(10s));
    loop->release();
}

TEST_CASE("a thread that runs the loop also does the work that others start meanwhile, until it has its own result") {
    std::promise<void> gate;
    const std::shared_future<void> open(gate.get_future());
    fake::loopback_server server([&](const fake::loopback_request& request) {
        if (request.target == "/slow") {
            open.wait();
        }
        return ok();
    });
    net::transport_core transport({});
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    auto slow = request_for_port(server.port());
    slow.url += "slow";
    std::shared_ptr<exchange_outcome> other;
    std::promise<void> running;
    const auto mine = begin_exchange(transport, slow, {}, [&](test_exchange& one) {
        one.on_request = [&] { running.set_value(); };
        one.on_finish = [&] { loop->wake(); };
    });
    auto starter = std::async(std::launch::async, [&] {
        running.get_future().wait();
        other = begin_exchange(transport, request_for_port(server.port()), {},
                               [&](test_exchange& one) { one.on_finish = [&] { gate.set_value(); }; });
    });
    REQUIRE(loop->run(10s));
    starter.get();
    CHECK(mine->ok());
    CHECK(other->ok());
    CHECK(mine->thread == std::this_thread::get_id());
    CHECK(other->thread == std::this_thread::get_id());
    loop->release();
}

TEST_CASE("when the thread with the claim leaves the loop with more than its own exchange in flight, the transport's thread goes on") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::transport_core transport({});
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    const auto first = begin_exchange(transport, request_for_port(server.port()));
    const auto second = begin_exchange(transport, request_for_port(server.port()));
    loop->wake();
    REQUIRE(loop->run(10s));  // returns at once
    REQUIRE(first->wait());
    REQUIRE(second->wait());
    CHECK(first->thread != std::this_thread::get_id());
    CHECK_FALSE(loop->run(10s));
    loop->release();
}

TEST_CASE("a claim that is given up with an exchange in flight leaves it to the transport's thread") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::transport_core transport({});
    REQUIRE(transport.loop()->claim());
    const auto outcome = begin_exchange(transport, request_for_port(server.port()));
    transport.loop()->release();
    REQUIRE(outcome->wait());
    CHECK(outcome->ok());
}

TEST_CASE("a run of the loop ends at its time, and at a wake-up from another thread or before it") {
    net::transport_core transport(on_backend(GENERATE(net::poller_kind::best, net::poller_kind::portable)));
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    auto begin = steady_clock::now();
    CHECK(loop->run(20ms));
    CHECK(steady_clock::now() - begin >= 20ms);
    loop->wake();
    CHECK(loop->run(1h));
    auto waker = std::async(std::launch::async, [&] { loop->wake(); });
    CHECK(loop->run(1h));
    waker.get();
    loop->release();
}

TEST_CASE("a cancellation from another thread reaches an exchange whose claimer does not run the loop") {
    fake::loopback_server server([](const fake::loopback_request&) -> fake::loopback_reply { return {.then = ending::hang}; });
    net::transport_core transport({});
    REQUIRE(transport.loop()->claim());
    ai::cancel_source stop;
    const auto outcome = begin_exchange(transport, request_for_port(server.port()), stop.get_token());
    CHECK(transport.loop()->run(1ms));
    std::async(std::launch::async, [&] { stop.request_stop(); }).get();
    REQUIRE(outcome->wait());
    CHECK(outcome->code() == ai::errc::cancelled);
    transport.loop()->release();
}

TEST_CASE("a host without threads drives the transport when its descriptor is readable, also for deadlines") {
    fake::loopback_server server([](const fake::loopback_request& request) -> fake::loopback_reply {
        return request.target == "/hang" ? fake::loopback_reply{.then = ending::hang} : ok();
    });
    net::https_transport transport({.own_thread = false});
    const auto drive = [&](exchange_outcome& outcome) {
        for (const auto until = steady_clock::now() + 10s; !outcome.done() && steady_clock::now() < until;) {
            wait_for_work(transport);
            transport.poll(1ms);
        }
        return outcome.done();
    };
    for (int i = 0; i < 3; ++i) {
        const auto outcome = begin_exchange(transport, request_for_port(server.port()));
        CHECK(outcome->requested == 0);
        REQUIRE(drive(*outcome));
        CHECK(outcome->ok());
        CHECK(outcome->thread == std::this_thread::get_id());
    }
    auto hanging = request_for_port(server.port(), 50ms);
    hanging.url += "hang";
    const auto begin = steady_clock::now();
    const auto late = begin_exchange(transport, hanging);
    REQUIRE(drive(*late));
    CHECK(late->code() == ai::errc::timeout);
    CHECK(late->finished_at - begin >= 50ms);
    CHECK(late->finished_at - begin < 50ms + on_a_busy_machine);
    CHECK(transport.send(request_for_port(server.port()), {}));
}

TEST_CASE("a poll leaves what does not fit into its budget to the next, and says so by the descriptor") {
    fake::loopback_server server([](const fake::loopback_request&) { return fake::loopback_reply{.then = ending::hang}; });
    net::https_transport transport({.own_thread = false});
    constexpr int count = 20;
    std::vector<std::shared_ptr<exchange_outcome>> outcomes;
    ai::cancel_source stop;
    enum class work : unsigned char { refused_at_once, cancelled, late };
    const work kind = GENERATE(work::refused_at_once, work::cancelled, work::late);
    for (int i = 0; i < count; ++i) {
        auto request = request_for_port(server.port(), kind == work::late ? 500ms : 10s);
        request.url = kind == work::refused_at_once ? "no URL" : request.url;
        outcomes.push_back(
            begin_exchange(transport, request, stop.get_token(), [](test_exchange& one) { one.on_finish = [] { keep_busy(2ms); }; }));
    }
    if (kind != work::refused_at_once) {
        transport.poll(1s);
        if (kind == work::cancelled) {
            stop.request_stop();
        }
        wait_for_work(transport);
    }
    const auto finished = [&] { return std::count_if(outcomes.begin(), outcomes.end(), [](const auto& each) { return each->done(); }); };
    REQUIRE(finished() == 0);
    transport.poll(1ms);
    CHECK(finished() <= 2);  // a timer and a result may come due in the same turn
    int polls = 1;
    for (; finished() < count && polls < 10 * count; ++polls) {
        wait_for_work(transport);
        transport.poll(1ms);
    }
    CHECK(finished() == count);
    CHECK(polls >= count / 2);
}

TEST_CASE("without a thread, blocking requests of several threads finish though nobody polls") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::https_transport transport({.own_thread = false});
    std::vector<std::future<bool>> all;
    for (int i = 0; i < 8; ++i) {
        all.push_back(std::async(std::launch::async, [&] { return transport.send(request_for_port(server.port()), {}).has_value(); }));
    }
    for (auto& one : all) {
        CHECK(one.get());
    }
}

TEST_CASE("a blocking request on the thread with the claim runs the loop, and keeps the claim") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::https_transport transport;
    const auto loop = transport.loop();
    REQUIRE(loop->claim());
    CHECK(transport.send(request_for_port(server.port()), {}));
    CHECK(loop->run(1ms));
    loop->release();
}

TEST_CASE("the receiver of a stream, and a member of an exchange, may make requests of their own") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::https_transport transport;
    bool nested = false;
    const auto take = [&](std::string_view) {
        nested = transport.send(request_for_port(server.port()), {}).has_value();
        return true;
    };
    CHECK(transport.stream(request_for_port(server.port()), take, {}));
    CHECK(nested);
    bool sent = false;
    const auto outcome = begin_exchange(transport, request_for_port(server.port()), {}, [&](test_exchange& one) {
        one.on_finish = [&] { sent = transport.send(request_for_port(server.port()), {}).has_value(); };
    });
    REQUIRE(outcome->wait());
    CHECK(sent);
}

TEST_CASE("an exception of the receiver ends the stream, with its text in the failure") {
    std::promise<void> gate;
    const std::shared_future<void> open(gate.get_future());
    fake::loopback_server server([&](const fake::loopback_request& request) -> fake::loopback_reply {
        if (request.method == "GET") {
            open.wait();
        }
        return {.bytes = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\none\r\n", .then = ending::hang};
    });
    net::https_transport transport;
    auto other = request_for_port(server.port());
    other.method = "GET";
    ai::cancel_source stop;
    const bool alone = GENERATE(true, false);  // or the loop runs on another thread
    const auto waiting = alone ? nullptr : begin_exchange(transport, other, stop.get_token());
    const auto response =
        transport.stream(request_for_port(server.port()), [](std::string_view) -> bool { throw std::runtime_error("mine"); }, {});
    REQUIRE_FALSE(response);
    CHECK(response.error().code == ai::errc::internal);
    CHECK(response.error().message.find("mine") != std::string::npos);
    gate.set_value();
    stop.request_stop();
    CHECK(settles([&] { return server.open_connections() == 0; }));
}

TEST_CASE("an exchange may start the next when it finishes, many times over") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::https_transport transport;
    const bool refused = GENERATE(false, true);  // finishes without any wait
    auto request = request_for_port(server.port());
    if (refused) {
        request.url = "no address";
    }
    std::atomic<int> left = 200;
    std::promise<void> all_done;
    std::function<void()> next = [&] {
        if (--left == 0) {
            return all_done.set_value();
        }
        begin_exchange(transport, request, {}, [&](test_exchange& one) { one.on_finish = next; });
    };
    next();
    CHECK(all_done.get_future().wait_for(10s) == std::future_status::ready);
}

TEST_CASE("exceptions of an exchange become failures") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    net::https_transport transport;
    const auto unmade = begin_exchange(transport, request_for_port(server.port()), {},
                                       [](test_exchange& one) { one.on_request = [] { throw std::runtime_error("mine"); }; });
    const auto untaken = begin_exchange(transport, request_for_port(server.port()), {}, [](test_exchange& one) {
        one.streamed = true;
        one.on_piece = [](std::string_view) -> bool { throw std::runtime_error("mine"); };
    });
    const auto unfinished = begin_exchange(transport, request_for_port(server.port()), {},
                                           [](test_exchange& one) { one.on_finish = [] { throw std::runtime_error("mine"); }; });
    REQUIRE(unmade->wait());
    CHECK(unmade->code() == ai::errc::internal);
    REQUIRE(untaken->wait());
    CHECK(untaken->code() == ai::errc::internal);
    CHECK(settles([&] { return unfinished->destroyed.load(); }));
}

TEST_CASE("a server that never pauses does not hold up the deadline of another exchange") {
    raw_server flood([](int descriptor) {
        static_cast<void>(read_head(descriptor));
        write_all(descriptor, "HTTP/1.1 200 OK\r\n\r\n");
        while (write_all(descriptor, std::string(65'536, 'x'))) {
        }
    });
    fake::loopback_server silent([](const fake::loopback_request&) -> fake::loopback_reply { return {.then = ending::hang}; });
    net::transport_core transport(on_backend(GENERATE(net::poller_kind::best, net::poller_kind::portable)));
    ai::cancel_source stop;
    auto endless = request_for_port(flood.port(), 1h);
    endless.max_response_bytes = std::numeric_limits<std::size_t>::max();
    std::atomic<std::size_t> taken = 0;
    const auto flooded = begin_exchange(transport, endless, stop.get_token(), [&](test_exchange& one) {
        one.streamed = true;
        one.on_piece = [&, to = one.to](std::string_view piece) {
            const std::lock_guard lock(to->mutex);
            to->streamed.clear();
            taken += piece.size();
            return true;
        };
    });
    REQUIRE(settles([&] { return taken > 1'000'000; }));
    const auto begin = steady_clock::now();
    const auto late = begin_exchange(transport, request_for_port(silent.port(), 50ms));
    REQUIRE(late->wait());
    CHECK(late->code() == ai::errc::timeout);
    CHECK(late->finished_at - begin < 50ms + on_a_busy_machine);
    stop.request_stop();
    REQUIRE(flooded->wait());
    CHECK(flooded->code() == ai::errc::cancelled);
}

TEST_CASE("copies of a transport share its connections, and the last one ends it") {
    fake::loopback_server server([](const fake::loopback_request&) { return ok(); });
    std::optional<net::https_transport> first(std::in_place);
    net::https_transport second = *first;
    REQUIRE(first->send(request_for_port(server.port()), {}));
    first.reset();
    CHECK(server.open_connections() == 1);
    {
        const net::https_transport third = std::move(second);
        net::https_transport fourth = third;
        CHECK(fourth.send(request_for_port(server.port()), {}));
        CHECK(server.connections() == 1);
    }
    CHECK(settles([&] { return server.open_connections() == 0; }));
}

TEST_CASE("the pieces of a stream stay in order while other exchanges come and go") {
    std::string body;
    for (int i = 0; body.size() < 2'000'000; ++i) {
        body += std::to_string(i) + " ";
    }
    fake::loopback_server server([&](const fake::loopback_request& request) -> fake::loopback_reply {
        return request.method == "GET" ? ok() : fake::loopback_reply{.bytes = fake::http_message(200, {}, body), .piece = 10'000};
    });
    net::https_transport transport;
    std::atomic<bool> streaming = true;
    auto others = std::async(std::launch::async, [&] {
        auto request = request_for_port(server.port());
        request.method = "GET";
        request.body.clear();
        int sent = 0;
        for (; streaming; ++sent) {
            if (!begin_exchange(transport, request)->wait()) {
                return -1;
            }
        }
        return sent;
    });
    for (int i = 0; i < 3; ++i) {
        std::string got;
        const auto response = transport.stream(request_for_port(server.port()),
                                               [&](std::string_view piece) {
                                                   got += piece;
                                                   return true;
                                               },
                                               {});
        CHECK(response);
        CHECK(got == body);
    }
    streaming = false;
    CHECK(others.get() >= 0);
}

}  // namespace https_loop_tests
