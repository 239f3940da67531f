// The shell as a capability of an agent: who decides, what the events are, and what a pump costs.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/agent/on.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "shell_bench.hpp"

#include <algorithm>

namespace fake = pyaichat::testing;

namespace {

ai::agent agent_of(fake::scripted_provider model, ai::shell_options options, ai::agent_options more = {}) {
    return ai::agent(std::move(model), {ai::shell(std::move(options))}, std::move(more));
}

fake::scripted_provider runs(const std::string& command) {
    return {fake::call("exec", {{"command", command}}), fake::say("done")};
}

}  // namespace

TEST_CASE("a command that nothing allows is asked about, with the command and its folder", "[shell]") {
    const scratch_folder files;
    ai::agent agent = agent_of(runs("touch made\n"), {.folder = files.path.string()});
    ai::run run = agent.ask("?");
    CHECK(run.wait().reason == ai::stop_reason::awaiting_approval);
    REQUIRE(run.pending().size() == 1);
    CHECK(run.pending()[0].reason == "it runs touch made\\n in " + files.path.string());
    CHECK_FALSE(std::filesystem::exists(files.path / "made"));
    SECTION("and runs when the person allows it") {
        REQUIRE(run.resume(run.pending()[0].call.number, ai::call_decision::allow()));
        CHECK(run.wait().reason == ai::stop_reason::complete);
        CHECK(std::filesystem::exists(files.path / "made"));
    }
    SECTION("and does not run when the person denies it") {
        REQUIRE(run.resume(run.pending()[0].call.number, ai::call_decision::deny("no")));
        CHECK(run.wait().reason == ai::stop_reason::complete);
        CHECK_FALSE(std::filesystem::exists(files.path / "made"));
    }
}

TEST_CASE("the question shows the input of the command and the folder that it names", "[shell]") {
    ai::shell shell({.folder = "/"});
    const auto asked = [&](ai::json arguments) {
        const std::vector<ai::proposed_call> batch = {{.name = "exec", .arguments = std::move(arguments), .origin = "shell"}};
        return shell.review(batch).front().reason;
    };
    CHECK(asked({{"command", "sh"}, {"cwd", "tmp"}, {"stdin", "rm x\n"}}) == "it runs sh in /tmp with the input rm x\\n");
    CHECK(asked({{"command", "sh"}, {"stdin", std::string(5000, 'x')}}).ends_with("xxx... (5000 bytes)"));
}

TEST_CASE("rules allow, deny and ask", "[shell]") {
    const ai::shell_rules rules{.allow = {"echo"}, .deny = {"rm"}};
    ai::agent allowed = agent_of(runs("echo hello"), {.approval = rules});
    const ai::answer told = allowed.ask("?").wait();
    CHECK(told.reason == ai::stop_reason::complete);
    const auto finished =
        std::find_if(told.events.begin(), told.events.end(), [](const ai::event& e) { return e.as<ai::call_finished>(); });
    REQUIRE(finished != told.events.end());
    CHECK(finished->as<ai::call_finished>()->reply.result.at("output") == "hello\n");

    ai::agent denied = agent_of(runs("rm -rf /nowhere"), {.approval = rules});
    const ai::answer refused = denied.ask("?").wait();
    CHECK(std::any_of(refused.events.begin(), refused.events.end(), [](const ai::event& e) {
        return e.as<ai::call_denied>() && e.as<ai::call_denied>()->reply.message.find("the rule `rm` denies it") != std::string::npos;
    }));

    ai::agent asked = agent_of(runs("echo $HOME"), {.folder = "/", .approval = rules});
    ai::run run = asked.ask("?");
    CHECK(run.wait().reason == ai::stop_reason::awaiting_approval);
    CHECK(run.pending()[0].reason == "it runs echo $HOME in /: rules do not cover it: it has a substitution");
}

TEST_CASE("the agent's own policy decides alone if the shell has no opinion, and cannot loosen it otherwise", "[shell]") {
    const ai::shell_rules rules{.allow = {"echo"}};
    ai::agent asks = agent_of(runs("echo"), {}, {.approval = rules});
    CHECK(asks.ask("?").wait().reason == ai::stop_reason::awaiting_approval);
    ai::agent allows = agent_of(runs("echo"), {.ask = false}, {.approval = rules});
    CHECK(allows.ask("?").wait().reason == ai::stop_reason::complete);
    ai::agent unknown = agent_of(runs("ls"), {.ask = false}, {.approval = rules});
    CHECK(unknown.ask("?").wait().reason == ai::stop_reason::awaiting_approval);
}

TEST_CASE("output is an event before the command ends", "[shell]") {
    const scratch_folder files;
    ai::agent agent = agent_of(runs("echo first; while ! test -e go; do sleep 0.01; done; echo second"),
                               {.folder = files.path.string(), .approval = ai::allow_all});
    std::string shown;
    bool ended_before = false;
    const ai::answer told = agent
                                .ask("?", ai::on([&](const ai::event& happened) {
                                         if (const auto* output = happened.as<ai::call_output>()) {
                                             shown += output->text;
                                             std::fclose(std::fopen((files.path / "go").c_str(), "w"));
                                         } else if (happened.as<ai::call_finished>() && shown.empty()) {
                                             ended_before = true;
                                         }
                                     }))
                                .wait();
    CHECK(told.reason == ai::stop_reason::complete);
    CHECK(shown == "first\nsecond\n");
    CHECK_FALSE(ended_before);
}

TEST_CASE("a flood costs few events", "[shell]") {
    ai::agent agent = agent_of(runs("yes"), {.timeout = 500ms, .approval = ai::allow_all});
    ai::run run = agent.ask("?");
    int outputs = 0;
    std::size_t shown = 0;
    const ai::answer told = run.wait();
    for (const ai::event& each : told.events) {
        if (const auto* output = each.as<ai::call_output>()) {
            ++outputs;
            shown += output->text.size();
        }
    }
    CHECK(told.reason == ai::stop_reason::complete);
    CHECK(outputs > 0);
    CHECK(outputs < 50);
    CHECK(shown < 1 << 20);
}

TEST_CASE("a run that is cancelled ends its command", "[shell]") {
    const scratch_folder files;
    ai::agent agent = agent_of(runs("echo $$; exec sleep 1000"), {.folder = files.path.string(), .approval = ai::allow_all});
    std::string id;
    ai::run run = agent.ask("?", ai::on([&](const ai::call_output& output) { id += output.text; }));
    while (id.find('\n') == std::string::npos) {
        static_cast<void>(run.wait_for(5ms));
    }
    run.cancel();
    CHECK(run.wait().reason == ai::stop_reason::cancelled);
    const std::string entry = "/proc/" + std::to_string(std::atoi(id.c_str()));
    while (std::filesystem::exists(entry)) {  // reaped by the thread of the call
        std::this_thread::yield();
    }
}
