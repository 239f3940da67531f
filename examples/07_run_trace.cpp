// Prints all events of one run, for docs/guide/runs.md. A scripted model and a manual clock make the output reproducible.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <chrono>
#include <cstdio>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

// [observer]
std::string details(const ai::event& event) {
    if (const auto* started = event.as<ai::run_started>()) {
        return started->question;
    }
    if (const auto* delta = event.as<ai::text_delta>()) {
        return '"' + delta->text + '"';
    }
    if (const auto* retry = event.as<ai::retry_scheduled>()) {
        return retry->why + ", again in " + ai::describe(retry->delay);
    }
    if (const auto* denied = event.as<ai::call_denied>()) {
        return ai::describe_call(denied->name, denied->arguments) + ": " + denied->reply.message;
    }
    if (const auto* call = event.as<ai::call_finished>()) {
        return ai::describe_call(call->name, call->arguments) + " -> " + ai::dump_json(call->reply.envelope());
    }
    if (const auto* finished = event.as<ai::run_finished>()) {
        return std::string(to_string(finished->reason));
    }
    return {};
}

void show(const ai::event& event) {
    const std::string more = details(event);
    std::printf("%4lld ms %2llu %s%s%s\n", static_cast<long long>(event.time.time_since_epoch() / 1ms),
                static_cast<unsigned long long>(event.number), std::string(ai::event_name(event)).c_str(), more.empty() ? "" : ": ",
                more.c_str());
}
// [/observer]

}  // namespace

int main() {
    fake::manual_clock clock;
    fake::manual_executor background;
    // [script]
    fake::scripted_provider model{
        fake::calls({{.name = "door", .arguments = {{"id", "attic"}}}, {.name = "door", .arguments = {{"ID", "cellar"}}}}, "Let me look."),
        fake::fail(ai::errc::unavailable, 1500ms),
        fake::call("door", {{"id", "cellar"}}),
        fake::stream({"The attic is open, ", "the cellar is locked."}),
    };
    // [/script]
    ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};
    const ai::result<void> added = agent.capabilities().add(ai::capability(
        "door", "Whether a door is open.",
        [&](const std::string& id) {
            clock.advance(2ms);
            return id == "attic" ? "open" : "locked";
        },
        ai::arg{"id", "which door"}));
    if (!added) {
        return 1;
    }
    // [loop]
    auto run = agent.ask("Which doors are open?", ai::on{show});
    for (ai::progress reached = run.pump(); reached != ai::progress::done; reached = run.pump()) {
        if (reached == ai::progress::waiting) {
            const bool answered = background.run_one();
            clock.advance(answered ? 300ms : 100ms);  // the duration of the model call, or a part of a retry delay
        }
    }
    std::printf("\n%s\n", run.reply().text.c_str());
    // [/loop]
}
