#include <pyaichat/provider/any_provider.hpp>

#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <thread>

namespace ai = pyaichat;
namespace fake = ai::testing;

namespace {

/// Keeps what it is asked, for the test to answer.
struct event_driven {
    struct asked {
        ai::delta_sink sink = {};
        ai::model_reply responder = {};
    };
    void start(const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&, ai::model_reply responder) {
        inbox->sink = sink;
        inbox->responder = std::move(responder);
        started();
    }
    std::shared_ptr<asked> inbox = std::make_shared<asked>();
    std::function<void()> started = [] {};
};

}  // namespace

TEST_CASE("any provider passes requests on, and copies share the provider") {
    ai::any_provider first = fake::scripted_provider{fake::say("one"), fake::say("two")};
    ai::any_provider second = first;
    CHECK(first.complete({}, {}, {})->candidates[0].content.text() == "one");
    CHECK(second.complete({}, {}, {})->candidates[0].content.text() == "two");
    CHECK_FALSE(first.lent());
    CHECK_FALSE(first.is_async());
}

TEST_CASE("a borrowed provider is known to be lent") {
    fake::scripted_provider mine{fake::say("x")};
    ai::any_provider lent = ai::borrow(mine);
    CHECK(lent.lent());
    CHECK(lent.complete({}, {}, {}));
    CHECK(mine.request_count() == 1);
}

TEST_CASE("no provider says that there is none") {
    CHECK(ai::any_provider().complete({}, {}, {}).error().code == ai::errc::unavailable);
}

TEST_CASE("an asynchronous provider is started, and answers when it likes") {
    event_driven model;
    ai::any_provider any = ai::borrow(model);
    CHECK(any.is_async());
    CHECK(any.lent());
    std::optional<ai::result<ai::model_response>> came;
    any.start({}, {}, {}, ai::model_reply([&](ai::result<ai::model_response> outcome) { came = std::move(outcome); }));
    CHECK_FALSE(came);
    model.inbox->responder(fake::response_of(ai::model_message("later")));
    REQUIRE(came);
    CHECK((*came)->candidates[0].content.text() == "later");
}

TEST_CASE("a blocking provider that is started answers at once") {
    ai::any_provider any = fake::scripted_provider{fake::say("now")};
    std::string text;
    any.start({}, {}, {}, ai::model_reply([&](ai::result<ai::model_response> outcome) { text = outcome->candidates[0].content.text(); }));
    CHECK(text == "now");
}

TEST_CASE("whoever needs an answer from an asynchronous provider may wait for it") {
    event_driven model;
    std::thread other;
    model.started = [&] {
        other = std::thread([inbox = model.inbox] {
            inbox->sink.text("lat");
            inbox->responder(fake::response_of(ai::model_message("later")));
        });
    };
    ai::any_provider any = ai::borrow(model);
    std::string seen;
    const auto came = any.complete({}, ai::delta_sink([&](ai::delta_sink::kind, std::string_view piece) { seen += piece; }), {});
    other.join();
    REQUIRE(came);
    CHECK(came->candidates[0].content.text() == "later");
    CHECK(seen == "lat");
    model.started = [&] { model.inbox->responder = {}; };
    CHECK_FALSE(any.complete({}, {}, {}));  // dropped unanswered
}

TEST_CASE("a wait for an asynchronous provider ends with the token, and what comes later is dropped") {
    event_driven model;
    ai::cancel_source stop;
    model.started = [&] { stop.request_stop(); };
    ai::any_provider any = ai::borrow(model);
    std::string seen;
    const auto came =
        any.complete({}, ai::delta_sink([&](ai::delta_sink::kind, std::string_view piece) { seen += piece; }), stop.get_token());
    REQUIRE_FALSE(came);
    CHECK(came.error().code == ai::errc::cancelled);
    model.inbox->sink.text("late");
    model.inbox->responder(fake::response_of(ai::model_message("late")));
    CHECK(seen.empty());
}
