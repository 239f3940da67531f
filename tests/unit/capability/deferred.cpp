#include <pyaichat/capability/deferred.hpp>

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/testing/manual_executor.hpp>

#include "catch.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

/// What a call came to, also from another thread.
struct inbox {
    std::vector<ai::capability_reply> replies = {};
    std::string shown = {};
    ai::capability_responder responder() {
        return ai::capability_responder([this](ai::capability_reply came) { replies.push_back(std::move(came)); },
                                        [this](std::string_view text) { shown += text; });
    }
};

ai::capability_call call_of(std::string name, ai::json arguments = ai::json::object()) {
    ai::capability_call call;
    call.name = std::move(name);
    call.arguments = std::move(arguments);
    return call;
}

}  // namespace

TEST_CASE("a deferred call runs on the executor, and its reply comes from there") {
    fake::manual_executor background;
    auto source = ai::deferred(ai::capability("f", "F.", [] { return 7; }), ai::borrow(background));
    CHECK(source.specs().value()[0].name == "f");
    inbox box;
    source.invoke(call_of("f"), box.responder());
    source.invoke(call_of("f"), box.responder());
    CHECK(box.replies.empty());
    CHECK(background.pending() == 1);  // one after another: a source is not for two threads
    background.run_all();
    REQUIRE(box.replies.size() == 2);
    CHECK(box.replies[0].result == 7);
    source.invoke(call_of("f"), box.responder());
    background.run_all();
    CHECK(box.replies.size() == 3);
}

TEST_CASE("without an executor it has threads of its own") {
    std::promise<std::thread::id> ran;
    std::promise<ai::capability_reply> reply;  // before the source: its end waits for whoever sets it
    auto source = ai::deferred(ai::capability("f", "F.", [&] { ran.set_value(std::this_thread::get_id()); }));
    source.invoke(call_of("f"), ai::capability_responder([&](ai::capability_reply came) { reply.set_value(std::move(came)); }));
    CHECK(reply.get_future().get().ok());
    CHECK(ran.get_future().get() != std::this_thread::get_id());
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("something thrown is an internal error, and a dropped responder is abandoned") {
    fake::manual_executor background;
    auto source = ai::deferred(ai::capability(
                                   "f", "F.",
                                   [](ai::capability_responder responder, bool throws) {
                                       responder.output("working");
                                       if (throws) {
                                           throw std::runtime_error("broken");
                                       }
                                   },
                                   ai::arg{"throws"}),
                               ai::borrow(background));
    inbox box;
    source.invoke(call_of("f", {{"throws", true}}), box.responder());
    source.invoke(call_of("f", {{"throws", false}}), box.responder());
    background.run_all();
    REQUIRE(box.replies.size() == 2);
    CHECK(box.replies[0].code == ai::reply_code::internal);
    CHECK(box.replies[0].message == "`f` failed: broken");
    CHECK(box.replies[1].code == ai::reply_code::abandoned);
    CHECK(box.shown == "workingworking");
}
#endif

TEST_CASE("a call that nobody waits for any more is not run when its turn comes") {
    int ran = 0;
    fake::manual_executor background;
    auto source = ai::deferred(ai::capability("f", "F.", [&] { ++ran; }), ai::borrow(background));
    ai::cancel_source stop;
    ai::capability_call call = call_of("f");
    call.cancel = stop.get_token();
    inbox box;
    source.invoke(call, box.responder());
    stop.request_stop();
    background.run_all();
    CHECK(ran == 0);
    REQUIRE(box.replies.size() == 1);
    CHECK(box.replies[0].code == ai::reply_code::cancelled);
}

TEST_CASE("calls of a source or an executor that goes away are abandoned, each once") {
    inbox box;
    fake::manual_executor background;
    {
        auto source = ai::deferred(ai::capability("f", "F.", [] {}), ai::borrow(background));
        source.invoke(call_of("f"), box.responder());
    }
    REQUIRE(box.replies.size() == 1);
    CHECK(box.replies[0].code == ai::reply_code::abandoned);
    background.run_all();  // finds nothing to do
    CHECK(box.replies.size() == 1);

    auto source = ai::deferred(ai::capability("f", "F.", [] {}), ai::borrow(background));
    source.invoke(call_of("f"), box.responder());
    background.drop_all();
    CHECK(box.replies.size() == 2);
    source.invoke(call_of("f"), box.responder());
    background.run_all();
    REQUIRE(box.replies.size() == 3);
    CHECK(box.replies[2].ok());
}

TEST_CASE("the end of a source waits for the call that is running") {
    std::promise<void> entered;
    std::promise<void> go_on;
    std::atomic<bool> left = false;
    inbox box;
    std::thread releaser;
    {
        auto source = ai::deferred(ai::capability("f", "F.", [&] {
            entered.set_value();
            go_on.get_future().wait();
            left = true;
        }));
        source.invoke(call_of("f"), box.responder());
        entered.get_future().wait();
        source.invoke(call_of("f"), box.responder());  // will be dropped
        releaser = std::thread([&] { go_on.set_value(); });
    }
    CHECK(left);
    releaser.join();
    CHECK(box.replies.size() == 2);
}

TEST_CASE("while a call runs the last declarations hold, and calls are not allowed by a source that cannot be asked") {
    std::promise<void> entered;
    std::promise<void> go_on;
    std::promise<void> replied;
    auto source = ai::deferred(ai::capability("f", "F.",
                                              [&] {
                                                  entered.set_value();
                                                  go_on.get_future().wait();
                                              }) |
                               ai::approve{[](const ai::proposed_call&) { return ai::call_decision::allow(); }});
    const std::vector<ai::proposed_call> batch{{.name = "f"}};
    CHECK(source.specs()->size() == 1);
    CHECK(source.review(batch)[0].what == ai::call_decision::kind::allow);
    source.invoke(call_of("f"), ai::capability_responder([&](const ai::capability_reply&) { replied.set_value(); }));
    entered.get_future().wait();
    CHECK(source.specs()->size() == 1);
    CHECK(source.review(batch)[0].what == ai::call_decision::kind::deny);
    go_on.set_value();
    replied.get_future().wait();
}
