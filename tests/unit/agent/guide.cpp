// The snippets of docs/reference/{agent,run,answer,run_request,events,token_usage}.md.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

/// The thread pool of a host. This one runs its jobs when it is told to.
struct job_system {
    std::vector<ai::task> jobs = {};
    void push(ai::task job) { jobs.push_back(std::move(job)); }
    void run_all() {
        for (ai::task& job : std::exchange(jobs, {})) {
            job();
        }
    }
};

// [executor]
/// Runs blocking model calls on the thread pool of the host.
struct pool_executor {
    job_system* pool;  // must outlive the agent, its runs and its tasks
    void submit(ai::task work) { pool->push(std::move(work)); }
};
// [/executor]

struct dialog {
    bool says_yes = true;
    std::string shown = {};

    [[nodiscard]] bool ask(const std::string&, const std::string&) const { return says_yes; }
    void show(std::string text) { shown = std::move(text); }
};

// [pump]
/// Called once per frame. Returns whether the run has ended.
bool update(ai::run& thinking, dialog& ui) {
    switch (thinking.pump(1ms)) {
        case ai::progress::working:
        case ai::progress::waiting: return false;
        case ai::progress::awaiting_approval:
            for (const ai::pending_call& pending : thinking.pending()) {
                const bool yes = ui.ask(ai::describe_call(pending.call.name, pending.call.arguments), pending.reason);
                const ai::result<void> resumed =
                    thinking.resume(pending.call.number, yes ? ai::call_decision::allow() : ai::call_decision::deny("the player said no"));
                if (!resumed) {
                    ui.show(resumed.error().message);
                }
            }
            return false;
        case ai::progress::done: ui.show(thinking.reply().text); break;
    }
    return true;
}
// [/pump]

enum class reaction { show, ask_person, offer_retry, drop, report };

// [reasons]
/// Decides what the host does with an answer. The text can be shown for every reason.
reaction reaction_to(const ai::answer& reply) {
    switch (reply.reason) {
        case ai::stop_reason::awaiting_approval: return reaction::ask_person;  // not an end: resume the run
        case ai::stop_reason::rate_limited: return reaction::offer_retry;      // after `reply.error->retry_after`, if it is set
        case ai::stop_reason::cancelled: return reaction::drop;
        case ai::stop_reason::misconfigured:
        case ai::stop_reason::provider_failed: return reaction::report;  // log `reply.error->message`
        default: return reaction::show;
    }
}
// [/reasons]

// [screen]
/// Shows the text of a run while it arrives.
class screen {
public:
    ai::on observers() {
        return ai::on{[this](const ai::text_delta& piece) { step_ += piece.text; }, [this](const ai::step_withdrawn&) { step_.clear(); },
                      [this](const ai::step_finished&) { text_ += std::exchange(step_, {}) + "\n"; },
                      [this](const ai::call_started& call) { text_ += ai::describe_call(call.name, call.arguments) + "\n"; }};
    }
    [[nodiscard]] std::string text() const { return text_ + step_; }

private:
    std::string text_;  // of the finished steps, with one line for each call
    std::string step_;  // of the current step
};
// [/screen]

// [usage]
/// Converts the token counts of a service that counts cached input and thoughts separately.
ai::token_usage usage_of(const ai::json& counts) {
    const auto count = [&](std::string_view name) { return ai::integer_member(counts, name).value_or(0); };
    ai::token_usage usage;
    usage.cached_tokens = count("cached");
    usage.thought_tokens = count("thoughts");
    usage.input_tokens = ai::token_usage::sum(count("fresh"), usage.cached_tokens);
    usage.output_tokens = ai::token_usage::sum(count("text"), usage.thought_tokens);
    return usage;
}
// [/usage]

fake::scripted_reply with_usage(std::string text, const ai::json& counts) {
    ai::model_response response = fake::response_of(ai::model_message(std::move(text)));
    response.usage = usage_of(counts);
    return fake::respond(std::move(response));
}

}  // namespace

TEST_CASE("guide: an agent on the clock and the thread pool of its host") {
    fake::manual_clock game_time;
    job_system jobs;
    fake::scripted_provider model{fake::say("Look behind the barrel.")};
    // [policies]
    ai::basic_agent agent{std::move(model), ai::any_capabilities{}, ai::agent_options{.instructions = "You are a scout."},
                          ai::borrow(game_time), pool_executor{&jobs}};
    ai::pumped_run run = agent.ask("Where can I hide?");  // no `wait`: somebody has to advance the clock
    // [/policies]
    CHECK(run.pump() == ai::progress::waiting);
    jobs.run_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "Look behind the barrel.");
}

TEST_CASE("guide: a frame loop decides about calls that wait") {
    for (const bool allowed : {true, false}) {
        int opened = 0;
        ai::agent agent{fake::scripted_provider{fake::call("open"), fake::say("Done.")},
                        {ai::capability("open", "Opens the door.", [&] { return ++opened; })},
                        {.approval = ai::ask_before_effects}};
        dialog ui{.says_yes = allowed};
        ai::run thinking = agent.ask("Open the door.");
        for (thinking.wait(); !update(thinking, ui); thinking.wait()) {
        }
        CHECK(ui.shown == "Done.");
        CHECK(opened == (allowed ? 1 : 0));
    }
}

TEST_CASE("guide: a host reacts to the reason of an answer") {
    ai::agent agent{fake::scripted_provider{fake::say("Hello."), fake::fail(ai::errc::authentication)}};
    CHECK(reaction_to(agent.ask("Hello?").wait()) == reaction::show);
    CHECK(reaction_to(agent.ask("Hello?").wait()) == reaction::report);
    CHECK(reaction_to(agent.ask(" ").wait()) == reaction::report);
    ai::run run = agent.ask("Hello?");
    run.cancel();
    CHECK(reaction_to(run.wait()) == reaction::drop);
}

TEST_CASE("guide: a question continues a conversation") {
    fake::scripted_provider model{fake::say("It is open."), fake::say("It is locked.")};
    ai::agent agent{model, {}, {.instructions = "You are a guard."}};
    // [conversation]
    const ai::answer first = agent.ask("Is the attic open?").wait();
    const ai::answer second = agent
                                  .ask(ai::run_request{.question = "And the cellar?",
                                                       .history = first.messages,
                                                       .context = "It is night.",
                                                       .instructions = "You are a guard. Be brief."})
                                  .wait();
    // [/conversation]
    CHECK(second.text == "It is locked.");
    REQUIRE(model.request_count() == 2);
    const ai::model_request sent = model.requests().back();
    CHECK(sent.instructions == "You are a guard. Be brief.");
    REQUIRE(sent.messages.size() == 3);
    REQUIRE(sent.messages.back().parts.size() == 2);
    CHECK(sent.messages.back().parts[0].as<ai::text_part>()->text == "It is night.");
    CHECK(sent.messages.back().parts[1].as<ai::text_part>()->text == "And the cellar?");
}

TEST_CASE("guide: a screen shows the text of a run once, whatever is withdrawn") {
    screen shown;
    ai::agent agent{fake::scripted_provider{[](const ai::model_request&, const ai::delta_sink& sink, const ai::cancel_token&) {
        sink.text("Wrong.");
        sink.restart();
        sink.text("The attic ");
        sink.text("is open.");
        return ai::result<ai::model_response>(fake::response_of(ai::model_message("The attic is open.")));
    }}};
    CHECK(agent.ask("Is the attic open?", shown.observers()).wait().text == "The attic is open.");
    CHECK(shown.text() == "The attic is open.\n");
}

TEST_CASE("guide: the observers of a restored or recovered run get its further events only") {
    struct memory {
        std::vector<ai::journal_record>* records;
        ai::result<void> append(const ai::journal_record& record) {
            records->push_back(record);
            return {};
        }
    };
    std::vector<ai::journal_record> records;
    std::vector<std::string> seen;
    const auto note = [&](const ai::event& any) { seen.push_back(std::to_string(any.number) + " " + std::string(ai::event_name(any))); };
    ai::agent agent{fake::scripted_provider{fake::call("open"), fake::say("Done."), fake::say("Done.")},
                    {ai::capability("open", "Opens the door.", [] { return true; })},
                    {.approval = ai::ask_before_effects, .journal = memory{&records}}};
    ai::run run = agent.ask("Open the door.", ai::on{note});
    run.wait();
    CHECK(seen == std::vector<std::string>{"1 run_started", "2 step_started", "3 usage_updated", "4 calls_proposed"});
    const ai::json snapshot = run.snapshot();
    run = {};
    agent.options().journal = {};

    const std::vector<std::string> further = {"5 call_denied", "6 step_finished",  "7 step_started", "8 usage_updated",
                                              "9 text_delta",  "10 step_finished", "11 run_finished"};
    const auto continue_and_check = [&](ai::result<ai::run> continued) {
        REQUIRE(continued);
        REQUIRE(continued->resume(1, ai::call_decision::deny("no")));
        CHECK(continued->wait().events.size() == further.size());
        CHECK(std::exchange(seen, {}) == further);
    };
    seen.clear();
    continue_and_check(agent.restore(snapshot, ai::on{note}));
    continue_and_check(agent.recover(records, ai::on{note}));
}

TEST_CASE("guide: a provider reports the tokens of each response") {
    ai::agent agent{fake::scripted_provider{
        with_usage("", {{"fresh", 10}, {"cached", 90}, {"text", 5}}),  // not usable: asked again, but it counts
        fake::fail(ai::errc::unavailable, 0ms),
        with_usage("Hello.", {{"fresh", 20}, {"cached", 90}, {"text", 5}, {"thoughts", 30}}),
    }};
    const ai::answer reply = agent.ask("Hello?").wait();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.usage == ai::token_usage{.input_tokens = 210, .output_tokens = 40, .cached_tokens = 180, .thought_tokens = 30});
    CHECK(reply.usage.total() == 250);
}
