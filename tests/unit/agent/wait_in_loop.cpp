#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>

#include "manual_loop.hpp"

#include "catch.hpp"

#include <optional>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = ai::testing;
using namespace std::chrono_literals;

namespace {

/// Refuses all work: an asynchronous provider needs no executor.
struct no_executor {
    void submit(ai::task) { FAIL("an executor was used"); }
};
using agent_type = ai::basic_agent<bench::looped_provider, ai::any_capabilities, ai::steady_clock, no_executor>;

struct looped_agent {
    explicit looped_agent(std::initializer_list<fake::scripted_reply> script, ai::any_capabilities tools = {}, ai::limits bounds = {})
        : looped_agent(std::make_shared<bench::manual_loop>(), script, std::move(tools), bounds) {}
    looped_agent(std::shared_ptr<bench::manual_loop> shared, std::initializer_list<fake::scripted_reply> script,
                 ai::any_capabilities tools = {}, ai::limits bounds = {})
        : loop(std::move(shared)),
          agent(bench::looped_provider{loop, std::make_shared<fake::scripted_provider>(script)}, std::move(tools), {.limits = bounds}) {}

    std::shared_ptr<bench::manual_loop> loop;
    agent_type agent;
};

/// A provider that keeps its attempt open until it is cancelled.
struct silent_provider {
    void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply reply) {
        *kept = std::move(reply);
    }
    [[nodiscard]] std::shared_ptr<ai::event_loop> loop() const { return runs; }

    std::shared_ptr<bench::manual_loop> runs = std::make_shared<bench::manual_loop>();
    std::shared_ptr<ai::model_reply> kept = std::make_shared<ai::model_reply>();
};

}  // namespace

TEST_CASE("a waiting thread runs the loop of its provider, and needs no other thread") {
    const auto here = std::this_thread::get_id();
    std::optional<std::thread::id> worked;
    looped_agent of({fake::call("f"),
                     [&](const auto&...) {
                         worked = std::this_thread::get_id();
                         return ai::result<ai::model_response>(fake::response_of(ai::model_message("done")));
                     }},
                    {ai::capability("f", "F.", [] { return 1; })});
    CHECK(of.agent.ask("q").wait().text == "done");
    CHECK(worked == here);
    CHECK(of.loop->claims == 1);
    CHECK(of.loop->releases == 1);
}

TEST_CASE("if the claim on the loop is refused, the waiting thread sleeps until the loop's own thread has the reply") {
    looped_agent of({fake::call("f"), fake::say("done")}, {ai::capability("f", "F.", [] { return 1; })});
    of.loop->refuses = true;
    const bench::loop_thread own(of.loop);
    CHECK(of.agent.ask("q").wait().text == "done");
    CHECK(of.loop->wakes == 0);
    CHECK(of.loop->releases == 0);
}

TEST_CASE("if the claim on the loop is lost, the waiting thread goes on without it, and does not release it") {
    std::optional<bench::loop_thread> own;
    std::shared_ptr<bench::manual_loop> loop;
    looped_agent of({fake::call("f"), fake::say("done")}, {ai::capability("f", "F.", [&] {
                        loop->lose();
                        loop->refuses = true;
                        own.emplace(loop);
                        return 1;
                    })});
    loop = of.loop;
    CHECK(of.agent.ask("q").wait().text == "done");
    CHECK(loop->claims == 1);
    CHECK(loop->releases == 0);
}

TEST_CASE("a cancel from another thread wakes a thread that runs a loop") {
    silent_provider model;
    ai::basic_agent agent{model, ai::any_capabilities{}};
    ai::run run = agent.ask("q");
    std::thread other([&] {
        while (!model.runs->running) {
            std::this_thread::yield();
        }
        run.cancel();
    });
    CHECK(run.wait().reason == ai::stop_reason::cancelled);
    other.join();
    CHECK(model.runs->releases == 1);
}

TEST_CASE("a deadline ends a run whose thread runs a loop") {
    silent_provider model;
    ai::basic_agent agent{model, ai::any_capabilities{}, ai::agent_options{.limits = {.step_timeout = 20ms}}};
    CHECK(agent.ask("q").wait().reason == ai::stop_reason::step_timeout);
    CHECK(model.runs->releases == 1);
}

TEST_CASE("a reply from another thread wakes a thread that runs a loop") {
    std::optional<std::thread> other;
    std::shared_ptr<bench::manual_loop> loop;
    looped_agent of({fake::call("f"), fake::say("done")}, {ai::capability("f", "F.", [&](ai::capability_responder responder) {
                        other.emplace([&loop, responder = std::move(responder)]() mutable {
                            while (!loop->running) {
                                std::this_thread::yield();
                            }
                            responder(ai::json(1));
                        });
                    })});
    loop = of.loop;
    CHECK(of.agent.ask("q").wait().text == "done");
    other->join();
    CHECK(of.loop->claims == 1);
}

TEST_CASE("a run that is waited for in a callback of another run is served by the same loop") {
    const auto loop = std::make_shared<bench::manual_loop>();
    looped_agent inner(loop, {fake::say("inner")});
    looped_agent outer(loop, {fake::call("f"), fake::say("outer")},
                       {ai::capability("f", "F.", [&] { return inner.agent.ask("q").wait().text; })});
    CHECK(outer.agent.ask("q").wait().text == "outer");
    CHECK(loop->claims == 1);
    CHECK(loop->releases == 1);
}

TEST_CASE("a provider of the same loop may be called in a callback, and blocks there until it has replied") {
    const auto loop = std::make_shared<bench::manual_loop>();
    ai::any_provider other = bench::looped_provider{
        loop, std::make_shared<fake::scripted_provider>(std::initializer_list<fake::scripted_reply>{fake::say("x")})};
    looped_agent of(loop, {fake::call("f"), fake::say("done")},
                    {ai::capability("f", "F.", [&] { return other.complete({}, {}, {})->candidates.at(0).content.text(); })});
    CHECK(of.agent.ask("q").wait().text == "done");
    CHECK(loop->claims == 1);
}

TEST_CASE("an agent that waits for a borrowed provider gives the loop of the outer wait to its own thread") {
    const auto loop = std::make_shared<bench::manual_loop>();
    std::optional<bench::loop_thread> own;
    bench::looped_provider lent{loop,
                                std::make_shared<fake::scripted_provider>(std::initializer_list<fake::scripted_reply>{fake::say("x")})};
    looped_agent of(loop, {fake::call("f"), fake::say("done")}, {ai::capability("f", "F.", [&] {
                        ai::basic_agent agent{ai::borrow(lent), ai::any_capabilities{}};
                        ai::run run = agent.ask("q");
                        static_cast<void>(run.pump());
                        own.emplace(loop);  // only it can end the attempt that `~basic_agent` waits for
                        return loop->releases.load();
                    })});
    CHECK(of.agent.ask("q").wait().text == "done");
    CHECK(loop->claims == 2);
    CHECK(loop->releases == 2);
}

TEST_CASE("a thread has the loop only while it waits") {
    looped_agent of({fake::call("f"), fake::say("done")}, {ai::capability("f", "F.", [] { return 1; })});
    of.agent.options().approval = [](const ai::proposed_call&) { return ai::call_decision::ask("sure?"); };
    ai::run run = of.agent.ask("q");
    static_cast<void>(run.pump());
    CHECK(of.loop->claims == 0);  // a frame loop
    static_cast<void>(run.wait());
    CHECK(run.wait_for(0s) == ai::progress::awaiting_approval);
    CHECK(of.loop->claims == of.loop->releases);
    REQUIRE(run.resume(run.pending().at(0).call.number, ai::call_decision::allow()));
    CHECK(run.wait().text == "done");
    CHECK(of.loop->claims == of.loop->releases);
    silent_provider model;
    ai::basic_agent agent{model, ai::any_capabilities{}};
    ai::run open = agent.ask("q");
    CHECK(open.wait_for(1ms) == ai::progress::waiting);
    CHECK(model.runs->claims == 1);
    CHECK(model.runs->releases == 1);
}
