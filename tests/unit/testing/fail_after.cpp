#include <pyaichat/testing/fail_after.hpp>

#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/message/history.hpp>
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/runtime/inline_executor.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <atomic>
#include <future>
#include <map>

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("the operation behind the count fails, alone or with all that come later") {
    fake::fail_after one(1);
    CHECK_FALSE(one.fails());
    CHECK_FALSE(one.failed());
    CHECK(one.fails());
    CHECK_FALSE(one.fails());
    CHECK(one.failed());
    CHECK(one.counted() == 3);
    const fake::fail_after all(1, fake::failing::all_from_there);
    const fake::fail_after copy = all;
    CHECK_FALSE(copy.fails());
    CHECK(all.fails());
    CHECK(copy.fails());
}

TEST_CASE("each double fails in the way of its policy") {
    const fake::fail_after broken(0, fake::failing::all_from_there);
    CHECK(broken.provider(ai::no_provider{}, ai::errc::timeout).complete({}, {}, {}).error().code == ai::errc::timeout);
    ai::errc started = ai::errc::internal;
    broken.provider(ai::any_provider(), ai::errc::timeout)
        .start({}, {}, {}, ai::model_reply([&](const ai::result<ai::model_response>& outcome) { started = outcome.error().code; }));
    CHECK(started == ai::errc::timeout);
    ai::reply_code code = ai::reply_code::ok;
    broken.source(ai::no_capabilities{}).invoke({}, ai::capability_responder([&](const ai::capability_reply& reply) {
                                                    code = reply.code;
                                                }));
    CHECK(code == ai::reply_code::internal);
    CHECK_FALSE(broken.journal(ai::no_journal{}).append({}));
    struct echo {
        ai::result<ai::http_response> send(const ai::http_request& request, const ai::cancel_token&) {
            return ai::http_response{.status = 200, .body = request.body};
        }
        ai::result<ai::http_response> stream(const ai::http_request& request, const ai::http_body_sink& sink, const ai::cancel_token&) {
            sink(request.body);
            return ai::http_response{.status = 200};
        }
    };
    auto failing = broken.transport(echo{});
    CHECK(failing.send({}, {}).error().code == ai::errc::connection_failed);
    CHECK(failing.stream({}, {}, {}).error().code == ai::errc::connection_failed);
    bool ran = false;
    broken.executor(ai::inline_executor{}).submit([&] { ran = true; });
    CHECK_FALSE(ran);
    const fake::fail_after whole(1000);
    whole.executor(ai::inline_executor{}).submit([&] { ran = true; });
    CHECK(ran);
    CHECK(whole.journal(ai::no_journal{}).append({}));
    std::string body;
    CHECK(whole.transport(echo{}).send({.body = "whole"}, {})->body == "whole");
    CHECK(whole.transport(echo{}).stream({.body = "whole"},
                                         [&](std::string_view piece) {
                                             body = piece;
                                             return true;
                                         },
                                         {}));
    CHECK(body == "whole");
}

TEST_CASE("a scenario is run until nothing fails any more, and one that never gets there is stopped") {
    std::map<bool, int> runs;
    const std::size_t operations = fake::run_with_each_failure([&](const fake::fail_after& broken) {
        bool fine = true;
        for (int i = 0; i < 3 && fine; ++i) {
            fine = !broken.fails();
        }
        ++runs[fine];
    });
    CHECK(operations == 3);
    CHECK(runs[false] == 6);
    CHECK(runs[true] == 2);
    const auto endless = [](const fake::fail_after& broken) {
        for (int i = 0; i < 100; ++i) {
            static_cast<void>(broken.fails());
        }
    };
    CHECK(fake::run_with_each_failure(endless, 20) == 0);
}

TEST_CASE("an agent waits for a lent provider also behind a double") {
    struct slow_to_leave {
        ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token& cancel) {
            entered.set_value();
            std::promise<void> tripped;
            const auto trip = [&] { tripped.set_value(); };
            const ai::cancel_callback<decltype(trip)> on_cancel(cancel, trip);
            tripped.get_future().wait();
            std::promise<void> never;
            never.get_future().wait_for(50ms);
            left = true;
            return ai::failure{.code = ai::errc::cancelled};
        }
        std::promise<void> entered = {};
        std::atomic<bool> left = false;
    } model;
    const fake::fail_after whole(1000);
    ai::thread_executor background;
    {
        ai::basic_agent agent{whole.provider(ai::borrow(model)), ai::no_capabilities{}, ai::agent_options{}, ai::steady_clock{},
                              ai::borrow(background)};
        ai::run run = agent.ask("q");
        run.pump();
        model.entered.get_future().wait();
    }
    CHECK(model.left);
}

TEST_CASE("a source behind a double still reviews its calls") {
    const fake::fail_after whole(1000);
    int ran = 0;
    ai::basic_agent agent{fake::scripted_provider{fake::call("heal"), fake::say("Done.")},
                          whole.source(ai::capability("heal", "Heal.", [&] { ++ran; }) |
                                       ai::approve{[](const ai::proposed_call&) { return ai::call_decision::deny("no"); }}),
                          ai::agent_options{}, ai::steady_clock{}, ai::inline_executor{}};
    CHECK(agent.ask("Heal me.").wait().reason == ai::stop_reason::complete);
    CHECK(ran == 0);
}

TEST_CASE("a run ends in an answer and a good history, whichever of its operations fails") {
    std::map<std::string_view, int> reasons;
    const std::size_t operations = fake::run_with_each_failure([&](const fake::fail_after& broken) {
        fake::manual_clock clock;
        int health = 40;
        ai::basic_agent agent{
            broken.provider(fake::scripted_provider{fake::call("heal", {{"points", 2}}, "1"), fake::call("heal", {{"points", 3}}, "2"),
                                                    fake::say("You have 45."), fake::say("Again.")}),
            broken.source(ai::capability(
                "heal", "Heal.", [&](int points) { return health += points; }, ai::arg{"points"})),
            ai::agent_options{.seed = 1}, ai::borrow(clock), broken.executor(ai::inline_executor{})};
        auto run = agent.ask("Heal me.");
        for (int i = 0; i < 100 && run.pump(1h) != ai::progress::done; ++i) {
            clock.advance(500ms);  // a retry waits
        }
        REQUIRE(run.done());
        const ai::answer& reply = run.reply();
        CHECK_FALSE(reply.text.empty());
        CHECK(ai::check_history(reply.messages).empty());
        CHECK((broken.failed() || reply.text == "You have 45."));
        ++reasons[to_string(reply.reason)];
    });
    CHECK(operations >= 8);  // three model calls on the executor, two calls
    CHECK(reasons["complete"] > 1);
    CHECK(reasons["provider_failed"] > 1);
}

TEST_CASE("a fallback is there for a provider that fails at any time") {
    // [scenario]
    fake::run_with_each_failure([](const fake::fail_after& broken) {
        ai::fallback both{broken.provider(fake::scripted_provider{fake::stream({"fi", "rst"})}),
                          fake::scripted_provider{fake::say("second")}};
        const auto outcome = both.complete({}, {}, {});
        REQUIRE(outcome);
        CHECK(outcome->candidates[0].content.text() == (broken.failed() ? "second" : "first"));
    });
    // [/scenario]
}
