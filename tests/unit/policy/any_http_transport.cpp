#include <pyaichat/policy/any_http_transport.hpp>

#include <pyaichat/policy/borrow.hpp>

#include "manual_loop.hpp"

#include "catch.hpp"

#include <stdexcept>
#include <string>
#include <thread>

namespace ai = pyaichat;

namespace {

struct counting_transport {
    std::unique_ptr<int> exchanges = std::make_unique<int>(0);

    ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
        return ai::http_response{.status = ++*exchanges, .body = request.body};
    }
    ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token& cancel) {
        if (cancel.stop_requested() || !sink(request.body)) {
            return ai::failure{.code = ai::errc::cancelled};
        }
        return ai::http_response{.status = ++*exchanges};
    }
};

/// Echoes each request in its loop, streamed in two pieces.
struct looped_echo {
    void start(std::unique_ptr<ai::http_exchange> exchange, const ai::cancel_token& cancel) {
        runs->post(ai::task([exchange = std::move(exchange), cancel]() mutable { answer(*exchange, cancel); }));
    }
    [[nodiscard]] std::shared_ptr<ai::event_loop> loop() const { return runs; }

    static void answer(ai::http_exchange& exchange, const ai::cancel_token& cancel) {
        if (cancel.stop_requested()) {
            return exchange.finish(ai::failure{.code = ai::errc::cancelled});
        }
        ai::result<ai::http_request> request = exchange.request();
        if (!request) {
            return exchange.finish(request.error());
        }
        const std::string_view body = request->body;
        if (!exchange.streams()) {
            return exchange.finish(ai::http_response{.status = 200, .body = std::move(request->body)});
        }
        const bool taken = exchange.take(body.substr(0, 1)) && exchange.take(body.substr(1));
        exchange.finish(taken ? ai::result<ai::http_response>(ai::http_response{.status = 200})
                              : ai::failure{.code = ai::errc::cancelled, .message = "stopped"});
    }

    std::shared_ptr<bench::manual_loop> runs = std::make_shared<bench::manual_loop>();
};

/// A transport of both forms.
struct either_way : counting_transport {
    void start(std::unique_ptr<ai::http_exchange> exchange, const ai::cancel_token& cancel) { looped_echo::answer(*exchange, cancel); }
};

/// Drops each exchange without an outcome.
struct dropping {
    void start(std::unique_ptr<ai::http_exchange>, const ai::cancel_token&) {}
};

struct question final : ai::http_exchange {
    ai::result<ai::http_request> request() override { return made; }
    bool streams() const noexcept override { return streamed; }
    bool take(std::string_view piece) override {
        text += piece;
        return true;
    }
    void finish(ai::result<ai::http_response> end) override {
        ++finished;
        outcome = std::move(end);
        if (outcome) {
            text += outcome->body;
        }
    }

    ai::result<ai::http_request> made = ai::http_request{.body = "ping"};
    bool streamed = false;
    std::string text;
    int finished = 0;
    ai::result<ai::http_response> outcome = ai::failure();
};

}  // namespace

TEST_CASE("a transport of any type does what the transport in it does, and copies share it") {
    ai::any_http_transport one{counting_transport()};
    const ai::any_http_transport other = one;
    CHECK(one.send({.body = "sent"}, {})->body == "sent");
    std::string shown;
    const auto streamed = other.stream({.body = "shown"},
                                       [&](std::string_view piece) {
                                           shown += piece;
                                           return true;
                                       },
                                       {});
    REQUIRE(streamed);
    CHECK(streamed->status == 2);
    CHECK(shown == "shown");
    CHECK_FALSE(one.stream({}, [](std::string_view) { return false; }, {}));
}

TEST_CASE("a transport says which forms it has") {
    CHECK_FALSE(ai::any_http_transport(counting_transport()).is_async());
    CHECK(ai::any_http_transport(counting_transport()).loop() == nullptr);
    const looped_echo echo;
    CHECK(ai::any_http_transport(echo).is_async());
    CHECK(ai::any_http_transport(echo).loop() == echo.runs);
    CHECK(ai::any_http_transport(either_way()).is_async());
    looped_echo lent;
    CHECK(ai::any_http_transport(ai::borrow(lent)).loop() == lent.runs);
}

TEST_CASE("an exchange is performed in the same way by a transport of each form") {
    for (const ai::any_http_transport& one :
         {ai::any_http_transport(counting_transport()), ai::any_http_transport(looped_echo()), ai::any_http_transport(either_way())}) {
        for (const bool streamed : {false, true}) {
            question asked;
            asked.streamed = streamed;
            one.perform(asked, {});
            REQUIRE(asked.outcome);
            CHECK(asked.text == "ping");
            CHECK(asked.finished == 1);
        }
        question refused;
        refused.made = ai::failure{.code = ai::errc::invalid_argument};
        one.perform(refused, {});
        CHECK(refused.outcome.error().code == ai::errc::invalid_argument);
        question late;
        ai::cancel_source stop;
        stop.request_stop();
        one.perform(late, stop.get_token());
        CHECK(late.outcome.error().code == ai::errc::cancelled);
        CHECK(late.finished == 1);
    }
}

TEST_CASE("with an asynchronous transport, send and stream wait for the outcome in its loop") {
    const looped_echo echo;
    const ai::any_http_transport any(echo);
    CHECK(any.send({.body = "sent"}, {})->body == "sent");
    std::string shown;
    const auto show = [&](std::string_view piece) {
        shown += piece;
        return true;
    };
    REQUIRE(any.stream({.body = "shown"}, show, {}));
    CHECK(shown == "shown");
    CHECK(any.stream({.body = "shown"}, [](std::string_view) { return false; }, {}).error().code == ai::errc::cancelled);
    CHECK(echo.runs->claims == 3);
    CHECK(echo.runs->releases == 3);
    echo.runs->refuses = true;
    const bench::loop_thread own(echo.runs);
    CHECK(any.send({.body = "sent"}, {})->body == "sent");
}

TEST_CASE("a blocking transport runs a started exchange on the calling thread") {
    struct reporting final : ai::http_exchange {
        explicit reporting(std::string& report) : text(report) {}
        ai::result<ai::http_request> request() override { return ai::http_request{.body = "ping"}; }
        bool streams() const noexcept override { return false; }
        bool take(std::string_view) override { return false; }
        void finish(ai::result<ai::http_response> end) override { text = end->body; }
        std::string& text;
    };
    std::string text;
    ai::any_http_transport(counting_transport()).start(std::make_unique<reporting>(text), {});
    CHECK(text == "ping");
}

TEST_CASE("a transport that drops an exchange does not leave a thread waiting") {
    CHECK(ai::any_http_transport(dropping()).send({}, {}).error().code == ai::errc::internal);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a sink that throws in the thread of an asynchronous transport ends the response with a failure") {
    const ai::any_http_transport any{looped_echo()};
    const auto throws = [](std::string_view) -> bool { throw std::runtime_error("no room"); };
    const auto outcome = any.stream({.body = "x"}, throws, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == ai::errc::internal);
    CHECK(outcome.error().message == "the sink of a response threw: no room");
    CHECK(any.stream({.body = "x"}, [](std::string_view) { return true; }, {}));
}
#endif
