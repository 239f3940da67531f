#include <pyaichat/agent/run.hpp>

#include <pyaichat/runtime/inline_executor.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <algorithm>
#include <atomic>
#include <memory>
#include <stdexcept>
#include <thread>
#include <type_traits>

using namespace bench;

TEST_CASE("a run can be waited for only where time passes by itself") {
    STATIC_REQUIRE(std::is_same_v<ai::agent::run_type, ai::run>);
    STATIC_REQUIRE(std::is_same_v<agent_bench::agent_type::run_type, ai::pumped_run>);
    STATIC_REQUIRE_FALSE(std::is_convertible_v<ai::pumped_run, ai::run>);
}

TEST_CASE("an empty run answers everything, and says that it is empty") {
    const auto tells = [](auto& run) {
        CHECK_FALSE(run);
        CHECK_FALSE(run.done());
        CHECK(run.pump() == ai::progress::done);
        CHECK(run.reply().error->code == ai::errc::invalid_state);
        CHECK_FALSE(run.reply().text.empty());
        CHECK(run.pending().empty());
        CHECK(run.resume(1, ai::call_decision::allow()).error().code == ai::errc::invalid_state);
        CHECK(run.snapshot().is_null());
        run.cancel();
    };
    ai::pumped_run pumped;
    tells(pumped);
    ai::run waited;
    tells(waited);
    CHECK(waited.wait().error->code == ai::errc::invalid_state);
    CHECK(waited.wait_for(1h) == ai::progress::done);
}

TEST_CASE("a question is text or a request, also in braces, and an agent with only a provider is written without types") {
    fake::scripted_provider model{fake::say("one"), fake::say("two"), fake::say("three")};
    ai::basic_agent agent{ai::borrow(model)};
    const std::string text = "q";
    CHECK(agent.ask("q").wait().text == "one");
    CHECK(agent.ask(text).wait().text == "two");
    CHECK(agent.ask({.question = "q"}).wait().text == "three");
}

TEST_CASE("a run that has not ended says so, and an agent that was moved from asks nothing") {
    agent_bench b{{fake::say("words")}};
    ai::pumped_run run = b.ask();
    CHECK(run.reply().error->code == ai::errc::invalid_state);
    CHECK(run.reply().degraded());
    agent_bench::agent_type to = std::move(b.agent);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK_FALSE(b.agent.ask("?"));  // NOLINT(bugprone-use-after-move)
    CHECK(b.agent.restore(run.snapshot()).error().code == ai::errc::invalid_state);
    CHECK(b.agent.recover({}).error().code == ai::errc::invalid_state);
    CHECK(b.agent.warm_up().error().code == ai::errc::invalid_state);
}

TEST_CASE("an agent that is warmed up has asked its sources, and says what a question would end with") {
    struct source {
        int* listed;
        ai::result<ai::capability_list> declared;
        [[nodiscard]] ai::result<ai::capability_list> specs() const { return ++*listed, declared; }
        void invoke(const ai::capability_call&, ai::capability_responder) const {}
    };
    int listed = 0;
    fake::scripted_provider model;
    ai::basic_agent good{ai::borrow(model), source{&listed, ai::declare({{.name = "look", .description = "Looks."}})}};
    CHECK(good.warm_up());
    CHECK(listed == 1);
    ai::basic_agent bad{ai::borrow(model), source{&listed, ai::declare({{.name = "look"}})}};
    CHECK(bad.warm_up().error().code == ai::errc::invalid_argument);
    CHECK(bad.ask("q").wait().reason == ai::stop_reason::misconfigured);
}

TEST_CASE("a run that is pumped, waited for or written down in its own callback returns at once") {
    ai::agent agent{fake::scripted_provider{fake::say("words")}, {}};
    ai::run run;
    int seen = 0;
    run = agent.ask("q", ai::on{[&](const ai::run_started&) {
                        ++seen;
                        CHECK(run.pump() == ai::progress::working);
                        CHECK(run.wait().error->code == ai::errc::invalid_state);
                        CHECK(run.wait_for(1h) == ai::progress::working);
                        CHECK(run.snapshot().is_null());
                    }});
    CHECK(run.wait().text == "words");
    CHECK(seen == 1);
}

TEST_CASE("a run that was cancelled before it began ends cancelled, without a model call") {
    agent_bench b{{fake::say("never")}};
    ai::pumped_run run = b.ask();
    run.cancel();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK_FALSE(run.reply().text.empty());
    CHECK(b.model.request_count() == 0);
}

TEST_CASE("cancelling during a model call trips the provider's token and ends the run at the next pump") {
    fake::manual_clock clock;
    fake::manual_executor background;
    ai::cancel_token seen;
    fake::scripted_provider model{
        [&](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token& token) -> ai::result<ai::model_response> {
            seen = token;
            sink.text("The ");
            return fake::response_of(ai::model_message("The answer."));
        }};
    ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};
    fake::recorder events;
    ai::pumped_run run = agent.ask("q", ai::on{[&](const ai::event& one) { events(one); }});
    CHECK(run.pump() == ai::progress::waiting);
    run.cancel();
    background.run_all();
    CHECK(seen.stop_requested());
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK(is_legal_history(run.reply().messages));
}

TEST_CASE("cancelling from an event while text streams drops the rest") {
    fake::manual_clock clock;
    fake::manual_executor background;
    fake::scripted_provider model{fake::stream({"a", "b", "c"})};
    ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};
    int shown = 0;
    ai::pumped_run run;
    run = agent.ask("q", ai::on{[&](const ai::text_delta&) {
                        ++shown;
                        run.cancel();
                    }});
    CHECK(run.pump() == ai::progress::waiting);
    background.run_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK(shown == 1);
}

TEST_CASE("cancelling during a call trips its token and closes it in the history") {
    agent_bench b{{fake::calls({{.name = "slow"}, {.name = "after"}})}};
    ai::capability_responder kept;
    b.offer("slow", [&](ai::capability_responder responder) { kept = std::move(responder); });
    b.offer("after", [] { FAIL("the run is over"); });
    ai::pumped_run run = b.ask();
    CHECK(b.settle(run) == ai::progress::waiting);
    run.cancel();
    CHECK(run.pump() == ai::progress::done);
    CHECK(codes_in(run.reply().messages) == std::vector<std::string>{"in_doubt", "cancelled"});
    CHECK(is_legal_history(run.reply().messages));
    kept(ai::reply_with("late"));
}

TEST_CASE("cancelling from within a capability ends the run between its steps") {
    agent_bench b{{fake::call("stop"), fake::say("never")}};
    ai::pumped_run run;
    b.offer("stop", [&] {
        run.cancel();
        return "stopped";
    });
    run = b.ask();
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("a run that is destroyed inside of its own event ends when the event returns") {
    agent_bench b{{fake::say("never")}};
    int seen = 0;
    ai::pumped_run run;
    run = b.agent.ask("q", ai::on{[&](const ai::event&) {
                          ++seen;
                          run = {};
                      }});
    CHECK(run.pump() == ai::progress::done);
    CHECK(seen == 1);
    CHECK_FALSE(run);
    b.background.run_all();
}

TEST_CASE("a run that is replaced inside of its own event leaves its handle to the next one") {
    agent_bench b{{fake::say("the next")}};
    ai::pumped_run run;
    run = b.agent.ask("first", ai::on{[&](const ai::run_started&) { run = b.agent.ask("second"); }});
    // As a frame loop does it.
    for (int frame = 0; frame < 10 && run && !run.done(); ++frame) {
        if (run.pump() == ai::progress::done && !run.done()) {
            run = {};
        }
        b.background.run_all();
    }
    REQUIRE(run);
    CHECK(run.reply().text == "the next");
}

TEST_CASE("pumping a handle tells of the run that is in it then") {
    agent_bench b{{fake::say("one"), fake::say("two")}};
    SECTION("none, after another one had been put there") {
        ai::pumped_run run;
        run = b.agent.ask("first", ai::on{[&](const ai::run_started&) {
                              run = b.agent.ask("second");
                              run = {};
                          }});
        CHECK(run.pump() == ai::progress::done);
        CHECK_FALSE(run);
    }
    SECTION("another one, when the first was moved elsewhere") {
        ai::pumped_run run;
        ai::pumped_run kept;
        run = b.agent.ask("first", ai::on{[&](const ai::run_started&) {
                              kept = std::move(run);
                              run = b.agent.ask("second");
                          }});
        CHECK(run.pump() == ai::progress::working);
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(b.settle(kept) == ai::progress::done);
    }
    SECTION("another one, which the callback has pumped already") {
        ai::pumped_run run;
        run = b.agent.ask("first", ai::on{[&](const ai::run_started&) {
                              run = b.agent.ask("second");
                              CHECK(run.pump() == ai::progress::waiting);
                          }});
        CHECK(run.pump() == ai::progress::working);
        CHECK(b.settle(run) == ai::progress::done);
    }
    SECTION("none, when the handle is gone") {
        auto run = std::make_unique<ai::pumped_run>();
        *run = b.agent.ask("first", ai::on{[&](const ai::run_started&) {
                               *run = b.agent.ask("second");
                               run.reset();
                           }});
        CHECK(run->pump() == ai::progress::done);
    }
}

TEST_CASE("a run that is destroyed inside of its own capability ends when that returns") {
    agent_bench b{{fake::call("f"), fake::say("never")}};
    ai::pumped_run run;
    b.offer("f", [&] { run = {}; });
    run = b.ask();
    CHECK(run.pump() == ai::progress::waiting);
    b.background.run_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(b.background.pending() == 0);
    CHECK(b.model.request_count() == 1);
}

TEST_CASE("a run that is dropped by its own event while somebody waits for it ends the wait") {
    ai::agent agent{fake::scripted_provider{fake::say("never")}, {}};
    ai::run run;
    run = agent.ask("q", ai::on{[&](const ai::step_started&) { run = {}; }});
    const ai::answer reply = run.wait();
    CHECK(reply.reason == ai::stop_reason::cancelled);
    CHECK_FALSE(reply.text.empty());

    auto owned = std::make_unique<ai::run>();
    *owned = agent.ask("q", ai::on{[&](const ai::step_started&) { owned.reset(); }});
    CHECK(owned->wait().reason == ai::stop_reason::cancelled);
}

TEST_CASE("a run that is pumped late still takes what came in time") {
    agent_bench b{{fake::stream({"The ", "answer."})}, {.step_timeout = 1s}};
    ai::pumped_run run = b.ask();
    CHECK(run.pump() == ai::progress::waiting);
    b.background.run_all();
    b.clock.advance(10s);
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::complete);
}

TEST_CASE("pumping stops between two events when the budget is spent, and observers cannot hold up a deadline") {
    agent_bench b{{fake::stream(std::vector<std::string>(50, "x"))}, {.step_timeout = 1s}};
    int shown = 0;
    ai::pumped_run run = b.agent.ask("q", ai::on{[&](const ai::text_delta&) {
                                         ++shown;
                                         b.clock.advance(100ms);
                                     }});
    CHECK(run.pump() == ai::progress::waiting);
    b.background.run_all();
    CHECK(run.pump(1ms) == ai::progress::working);
    CHECK(shown == 1);
    while (!run.done()) {
        static_cast<void>(run.pump(1ms));
    }
    CHECK(run.reply().reason == ai::stop_reason::step_timeout);
    CHECK(shown == 10);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("an observer that throws loses its own event only") {
    agent_bench b{{fake::say("fine")}};
    std::string seen;
    ai::pumped_run run = b.agent.ask("q", ai::on{[&](const ai::event& one) {
                                         seen += std::string(ai::event_name(one)) + " ";
                                         if (one.as<ai::text_delta>() != nullptr) {
                                             throw std::runtime_error("the host's");
                                         }
                                     }});
    CHECK(run.pump() == ai::progress::waiting);
    b.background.run_all();
    CHECK_THROWS_AS(run.pump(), std::runtime_error);
    CHECK(run.pump() == ai::progress::done);
    CHECK(seen == "run_started step_started usage_updated text_delta step_finished run_finished ");
}
#endif

TEST_CASE("the answer is there when the run says that it has finished") {
    agent_bench b{{fake::say("fine")}};
    std::string text;
    ai::pumped_run run;
    run = b.agent.ask("q", ai::on{[&](const ai::run_finished&) { text = run.reply().text; }});
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(text == "fine");
}

TEST_CASE("two runs of one agent are interleaved by pumping") {
    agent_bench b{{fake::call("f"), fake::call("f"), fake::say("first"), fake::say("second")}};
    b.offer("f", [] { return 1; });
    ai::pumped_run first = b.ask("one");
    ai::pumped_run second = b.ask("two");
    while (!first.done() || !second.done()) {
        static_cast<void>(first.pump());
        static_cast<void>(second.pump());
        static_cast<void>(b.background.run_one());
    }
    CHECK(first.reply().text == "first");
    CHECK(second.reply().text == "second");
    CHECK(first.reply().events.front().run_id != second.reply().events.front().run_id);
}

TEST_CASE("a run outlives its agent") {
    ai::run run;
    {
        ai::agent agent{fake::scripted_provider{fake::call("f"), fake::say("still here")}, {ai::capability("f", "F.", [] { return 1; })}};
        run = agent.ask("q");
    }
    CHECK(run.wait().text == "still here");
}

TEST_CASE("an agent with a borrowed provider waits for it, and its runs fail from then on") {
    std::atomic<bool> inside = false;
    ai::run run;
    fake::scripted_provider model{[&](const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& token) {
        inside = true;
        auto outcome = fake::hang()(request, sink, token);
        inside = false;
        return outcome;
    }};
    {
        ai::agent agent{ai::borrow(model), {}};
        run = agent.ask("q");
        static_cast<void>(run.pump());
        while (!inside) {
            std::this_thread::yield();
        }
    }
    CHECK_FALSE(inside);
    CHECK(run.wait().reason == ai::stop_reason::provider_failed);
}

TEST_CASE("the deadline ends a run whose provider ignores everything, and not much later") {
    std::atomic<bool> release = false;
    std::atomic<int> inside = 0;
    const auto stubborn = [&](const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) {
        ++inside;
        while (!release) {
            std::this_thread::sleep_until(std::chrono::steady_clock::now() + 1ms);
        }
        --inside;
        return ai::result<ai::model_response>(ai::failure{});
    };
    // A busy machine may hold up any one of them.
    ai::duration best = ai::duration::max();
    for (int i = 0; i < 10 && best >= 120ms; ++i) {
        ai::agent agent{fake::scripted_provider{stubborn}, {}, {.limits = {.step_timeout = 20ms}}};
        const ai::answer reply = agent.ask("q").wait();
        CHECK(reply.reason == ai::stop_reason::step_timeout);
        best = std::min(best, reply.events.back().time - reply.events.front().time);
    }
    CHECK(best >= 20ms);
    CHECK(best < 120ms);
    release = true;
    while (inside > 0) {
        std::this_thread::yield();
    }
}

TEST_CASE("cancel may come from any thread and wakes whoever waits") {
    ai::agent agent{fake::scripted_provider{fake::hang()}, {}};
    ai::run run = agent.ask("q");
    std::thread other([&] { run.cancel(); });
    CHECK(run.wait().reason == ai::stop_reason::cancelled);
    other.join();
}

TEST_CASE("waiting for a while gives up when the while is over") {
    ai::agent agent{fake::scripted_provider{fake::hang()}, {}};
    ai::run run = agent.ask("q");
    CHECK(run.wait_for(1ms) != ai::progress::done);
    CHECK(run.wait_for(ai::duration::min()) != ai::progress::done);
    run.cancel();
    CHECK(run.wait_for(10s) == ai::progress::done);
}

TEST_CASE("the inline executor answers within the pump") {
    fake::manual_clock clock;
    ai::basic_agent agent{fake::scripted_provider{fake::call("f"), fake::say("ok")}, ai::capability("f", "F.", [] { return 1; }),
                          ai::agent_options{}, ai::borrow(clock), ai::inline_executor{}};
    ai::pumped_run run = agent.ask("q");
    CHECK(run.pump(1s) == ai::progress::done);
    CHECK(run.reply().text == "ok");
}

TEST_CASE("pumping stops when the budget is spent") {
    agent_bench b{{fake::calls(std::vector<ai::call_part>(3, ai::call_part{.name = "f"})), fake::say("ok")}};
    int ran = 0;
    b.offer("f", [&] {
        ++ran;
        b.clock.advance(5ms);
    });
    ai::pumped_run run = b.ask();
    CHECK(run.pump(1ms) == ai::progress::waiting);
    b.background.run_all();
    CHECK(run.pump(1ms) == ai::progress::working);
    CHECK(ran == 1);
    CHECK(run.pump(1ms) == ai::progress::working);
    CHECK(ran == 2);
}

TEST_CASE("after many aborted runs no thread is left behind") {
    ai::thread_executor executor({.idle = 1ms});
    {
        fake::scripted_provider model;
        ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{}, ai::steady_clock{}, ai::borrow(executor)};
        for (int i = 0; i < 200; ++i) {
            model.add(fake::hang());
            ai::run run = agent.ask("q");
            static_cast<void>(run.pump());
        }
    }
    while (executor.thread_count() > 0) {
        std::this_thread::yield();
    }
    CHECK(executor.thread_count() == 0);
}
