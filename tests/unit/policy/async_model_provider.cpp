#include <pyaichat/policy/async_model_provider.hpp>

#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/recorder.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"
#include "process_counts.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <deque>
#include <memory>
#include <optional>
#include <stdexcept>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

/// One attempt, as a transport would keep it until the service has answered.
struct attempt {
    ai::model_request request = {};
    ai::delta_sink sink = {};
    ai::cancel_token cancel = {};
    ai::model_reply responder = {};
};

/// Keeps what it is asked; the test answers. Copies share what is kept.
struct keeper {
    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply responder) {
        kept->push_back({request, sink, cancel, std::move(responder)});
    }
    [[nodiscard]] attempt take() const {
        REQUIRE_FALSE(kept->empty());
        attempt oldest = std::move(kept->front());
        kept->pop_front();
        return oldest;
    }
    std::shared_ptr<std::deque<attempt>> kept = std::make_shared<std::deque<attempt>>();
};

ai::model_response saying(std::string text) {
    return fake::response_of(ai::model_message(std::move(text)));
}

/// An agent that has nowhere to block: whatever it submits to its executor is lost.
template <class Provider>
struct threadless {
    explicit threadless(Provider provider, ai::agent_options options = {})
        : agent(std::in_place, std::move(provider), ai::any_capabilities{}, std::move(options), ai::borrow(clock),
                ai::dropping_executor{}) {}

    ai::pumped_run ask() {
        return agent->ask("question", ai::on{[this](const ai::event& one) { events(one); }});
    }

    fake::manual_clock clock = {};
    fake::recorder events = {};
    std::optional<ai::basic_agent<Provider, ai::any_capabilities, ai::borrowed<fake::manual_clock>, ai::dropping_executor>> agent;
};

/// Whether this ends a process by an assertion. The body runs in a process of its own.
template <class Body>
bool is_asserted(Body body) {
    const pid_t child = ::fork();
    if (child == 0) {
        std::signal(SIGABRT, SIG_DFL);
        ::close(STDERR_FILENO);
        body();
        ::_exit(0);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGABRT;
}

}  // namespace

// ---- the responder by itself

TEST_CASE("a responder passes on one outcome, and owes nothing then") {
    std::vector<ai::result<ai::model_response>> outcomes;
    {
        ai::model_reply responder([&](ai::result<ai::model_response> outcome) { outcomes.push_back(std::move(outcome)); });
        CHECK(responder);
        responder(saying("Hello."));
        CHECK_FALSE(responder);
    }
    REQUIRE(outcomes.size() == 1);
    CHECK(outcomes[0]->candidates[0].content.text() == "Hello.");
}

TEST_CASE("a responder that is dropped, or replaced by another one, reports that the work was dropped") {
    std::string told;
    const auto teller = [&](const char* name) {
        return ai::model_reply([&told, name](ai::result<ai::model_response> outcome) {
            told += std::string(name) + (outcome ? " answered " : " dropped ");
            CHECK((outcome || outcome.error().code == ai::errc::invalid_state));
            CHECK((outcome || !outcome.error().hint.empty()));
        });
    };
    {
        ai::model_reply first = teller("first");
        ai::model_reply second = std::move(first);
        CHECK_FALSE(first);
        first = teller("third");
        first = std::move(second);
        CHECK(told == "third dropped ");
        first(saying("Hello."));
    }
    CHECK(told == "third dropped first answered ");
    teller("fourth");
    CHECK(told == "third dropped first answered fourth dropped ");
}

TEST_CASE("an attempt that is answered twice is a broken contract, and without assertions the second answer has no effect") {
    int answers = 0;
    const auto answer_twice = [&] {
        ai::model_reply responder([&](ai::result<ai::model_response>) { ++answers; });
        responder(saying("one"));
        responder(saying("two"));
    };
#if defined(NDEBUG)
    answer_twice();
    CHECK(answers == 1);
#else
    CHECK(is_asserted(answer_twice));
    CHECK_FALSE(is_asserted([] { ai::model_reply([](ai::result<ai::model_response>) {})(saying("one")); }));
#endif
}

// ---- an agent with an asynchronous provider

TEST_CASE("an asynchronous provider is started by the pump, without an executor, and its answer is taken by a later pump") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    CHECK(model.kept->empty());
    CHECK(run.pump() == ai::progress::waiting);
    REQUIRE(model.kept->size() == 1);
    CHECK(run.pump() == ai::progress::waiting);
    CHECK(model.kept->size() == 1);  // asked once, however often it is pumped

    attempt asked = model.take();
    CHECK(asked.request.messages.back().text() == "question");
    CHECK(asked.request.time_left == ai::limits{}.step_timeout);
    asked.sink.text("Hel");
    asked.responder(saying("Hello."));
    CHECK_FALSE(run.done());
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "Hello.");
    CHECK(host.events.names() == "run_started step_started text_delta usage_updated step_finished run_finished");
}

TEST_CASE("an answer may come from another thread, with what it shows before, and wakes whoever waits") {
    struct threaded {
        void start(const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&, ai::model_reply responder) {
            worker = std::jthread([sink, responder = std::move(responder)]() mutable {
                sink.text("from ");
                sink.text("afar");
                responder(saying("from afar"));
            });
        }
        std::jthread worker = {};
    };
    fake::recorder events;
    ai::agent agent{threaded{}};
    const ai::answer reply = agent.ask("question", ai::on{std::ref(events)}).wait();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.text == "from afar");
    CHECK(events.all<ai::text_delta>().size() == 2);
}

TEST_CASE("a provider that owns the thread it answers from may go before it has answered") {
    struct waiting {
        void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token& cancel, ai::model_reply responder) {
            worker = std::jthread([cancel, responder = std::move(responder)]() mutable {
                while (!cancel.stop_requested()) {
                    std::this_thread::yield();
                }
                responder(saying("too late"));
            });
        }
        std::jthread worker = {};
    };
    ai::agent agent{waiting{}};
    ai::run run = agent.ask("question");
    CHECK(run.pump(1min) == ai::progress::waiting);
}

TEST_CASE("a provider may answer before start has returned") {
    struct prompt {
        void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply responder) {
            responder(saying("At once."));
        }
    };
    threadless host{prompt{}};
    ai::pumped_run run = host.ask();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "At once.");
}

TEST_CASE("the deadline ends a run whose asynchronous provider never answers, and trips its token") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    CHECK(run.pump() == ai::progress::waiting);
    const attempt asked = model.take();
    host.clock.advance(8s);
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::step_timeout);
    CHECK(asked.cancel.stop_requested());
}

TEST_CASE("an answer that comes after the deadline has no effect, and neither has what is shown then") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    run.pump();
    attempt asked = model.take();
    host.clock.advance(8s);
    run.pump();
    const std::string before = host.events.names();
    asked.sink.text("too ");
    asked.responder(saying("too late"));
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::step_timeout);
    CHECK(host.events.names() == before);
}

TEST_CASE("a cancelled run trips the token of an asynchronous attempt at once") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    run.pump();
    const attempt asked = model.take();
    run.cancel();
    CHECK(asked.cancel.stop_requested());
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::cancelled);
}

TEST_CASE("an attempt whose responder is dropped has failed, with a text for a person") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    run.pump();
    static_cast<void>(model.take());
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::provider_failed);
    REQUIRE(run.reply().error);
    CHECK(run.reply().error->code == ai::errc::invalid_state);
    CHECK_FALSE(run.reply().text.empty());
}

TEST_CASE("a transient failure starts another attempt after its delay; what the first one says then is ignored") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    run.pump();
    attempt first = model.take();
    first.responder(ai::failure{.code = ai::errc::unavailable, .retry_after = 2s});
    CHECK(run.pump() == ai::progress::waiting);
    CHECK(model.kept->empty());
    host.clock.advance(2s);
    CHECK(run.pump() == ai::progress::waiting);
    attempt second = model.take();
    first.sink.text("from the dead");
    CHECK(run.pump() == ai::progress::waiting);
    CHECK(host.events.all<ai::text_delta>().empty());
    second.responder(saying("Hello."));
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "Hello.");
    CHECK(run.reply().steps == 1);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a provider that throws when it is started has failed") {
    struct throwing {
        void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply) {
            throw std::runtime_error("no more handles");
        }
    };
    threadless host{throwing{}};
    ai::pumped_run run = host.ask();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().reason == ai::stop_reason::provider_failed);
    REQUIRE(run.reply().error);
    CHECK(run.reply().error->code == ai::errc::internal);
    CHECK(run.reply().error->message.find("no more handles") != std::string::npos);
}
#endif

TEST_CASE("a hundred runs are in flight without a thread each") {
    const keeper model;
    ai::agent agent{model};
    const long threads = count_process().threads;
    std::vector<ai::run> runs;
    for (int i = 0; i < 100; ++i) {
        runs.push_back(agent.ask("question " + std::to_string(i)));
        CHECK(runs.back().pump(1min) == ai::progress::waiting);
    }
    REQUIRE(model.kept->size() == 100);
    CHECK(count_process().threads == threads);
    while (!model.kept->empty()) {
        attempt one = model.take();
        one.responder(saying("answer to " + one.request.messages.back().text()));
    }
    for (int i = 0; i < 100; ++i) {
        CHECK(runs[static_cast<std::size_t>(i)].pump(1s) == ai::progress::done);
        CHECK(runs[static_cast<std::size_t>(i)].reply().text == "answer to question " + std::to_string(i));
    }
}

// ---- lifetimes

TEST_CASE("an answer that comes when the run is gone has no effect") {
    const keeper model;
    threadless host(model);
    {
        ai::pumped_run run = host.ask();
        run.pump();
    }
    attempt asked = model.take();
    CHECK(asked.cancel.stop_requested());
    const std::string before = host.events.names();
    asked.sink.text("to nobody");
    asked.responder(saying("to nobody"));
    CHECK(host.events.names() == before);
}

TEST_CASE("a run outlives its agent, and the agent does not wait for a provider of its own") {
    const keeper model;
    threadless host(model);
    ai::pumped_run run = host.ask();
    run.pump();
    host.agent.reset();
    attempt asked = model.take();
    CHECK_FALSE(asked.cancel.stop_requested());
    asked.responder(saying("Still here."));
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "Still here.");
}

TEST_CASE("an answer may come when agent and run are both gone") {
    const keeper model;
    threadless host(model);
    {
        ai::pumped_run run = host.ask();
        run.pump();
        host.agent.reset();
    }
    attempt asked = model.take();
    asked.sink.text("to nobody");
    asked.responder(saying("to nobody"));
    CHECK_FALSE(asked.responder);
}

TEST_CASE("an agent waits until an asynchronous provider that was only lent has answered every attempt") {
    keeper model;
    threadless host(ai::borrow(model));
    ai::pumped_run first = host.ask();
    ai::pumped_run second = host.ask();
    first.pump();
    second.pump();
    std::optional<attempt> one(model.take());
    std::optional<attempt> other(model.take());
    bool all_answered = false;
    // What a good transport does: it answers when its token is tripped. The second one takes another thread, and a moment.
    std::jthread worker;
    const ai::cancel_token token = one->cancel;
    const auto trip = [&] {
        worker = std::jthread([&] {
            other->responder(ai::failure{.code = ai::errc::cancelled});
            one->sink.text("last words");
            all_answered = true;
            one.reset();  // dropped: an answer too
        });
    };
    const ai::cancel_callback<decltype(trip)> on_cancel(token, trip);
    host.agent.reset();
    CHECK(all_answered);
    CHECK(first.pump() == ai::progress::done);
    CHECK(first.reply().reason == ai::stop_reason::provider_failed);
    CHECK(second.pump() == ai::progress::done);
}

TEST_CASE("a run that goes on after its agent does not start a provider that was only lent") {
    keeper model;
    threadless host(ai::borrow(model));
    ai::pumped_run run = host.ask();
    host.agent.reset();
    CHECK(run.pump() == ai::progress::done);
    CHECK(model.kept->empty());
    CHECK(run.reply().reason == ai::stop_reason::provider_failed);
}
