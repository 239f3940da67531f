// The snippets of docs/guide/testing.md.
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/net/https.hpp>
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/cassette.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>
#include <pyaichat/testing/recorder.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <cstdlib>

using namespace std::chrono_literals;

TEST_CASE("guide: a scripted model and a clock that stands still") {
    // [scripted]
    namespace ai = pyaichat;
    namespace fake = pyaichat::testing;

    fake::manual_clock clock;
    fake::manual_executor background;
    fake::scripted_provider model{fake::fail(ai::errc::rate_limited, 2s), fake::say("Hello.")};
    ai::basic_agent agent{ai::borrow(model), ai::any_capabilities{}, ai::agent_options{}, ai::borrow(clock), ai::borrow(background)};

    auto run = agent.ask("Are you there?");
    run.pump();            // the model call is in the background now
    background.run_all();  // ... and fails
    CHECK(run.pump() == ai::progress::waiting);
    clock.advance(2s);  // the delay that the service asked for
    run.pump();
    background.run_all();
    CHECK(run.pump() == ai::progress::done);
    CHECK(run.reply().text == "Hello.");
    CHECK(model.request_count() == 2);
    // [/scripted]
}

TEST_CASE("guide: the events of a run") {
    // [recorder]
    namespace ai = pyaichat;
    namespace fake = pyaichat::testing;

    fake::recorder events;
    ai::agent agent{fake::scripted_provider{fake::call("door", {{"id", "attic"}}), fake::say("It is open.")},
                    {ai::capability("door", "State of a door.", [](std::string) { return "open"; }, ai::arg{"id", "which door"})}};
    const ai::answer reply = agent.ask("Is the attic open?", ai::on{std::ref(events)}).wait();
    CHECK(reply.reason == ai::stop_reason::complete);
    REQUIRE(events.all<ai::call_finished>().size() == 1);
    CHECK(events.all<ai::call_finished>()[0].reply.result == "open");
    // [/recorder]
}

TEST_CASE("guide: the real provider against the emulator") {
    // [emulator]
    namespace ai = pyaichat;
    namespace fake = pyaichat::testing;

    fake::gemini_emulator service{
        fake::gemini_reply::calls({{"fc-1", "door", {{"id", "attic"}}}, {"fc-2", "door", {{"id", "cellar"}}}}, "c2lnbmF0dXJl"),
        fake::gemini_reply::text("The attic is open, the cellar is not.")};
    ai::agent agent{
        ai::gemini{{.api_key = "test-key", .base_url = service.base_url()}},
        {ai::capability("door", "State of a door.", [](std::string id) { return id == "attic" ? "open" : "locked"; }, ai::arg{"id"})}};
    const ai::answer reply = agent.ask("Which doors are open?").wait();
    CHECK(reply.text == "The attic is open, the cellar is not.");
    CHECK(service.requests().size() == 2);  // each of them legal: the emulator refuses others as the service would
    CHECK(service.connections() == 1);
    // [/emulator]
}

TEST_CASE("guide: what the provider has sent, to the byte") {
    namespace ai = pyaichat;
    namespace fake = pyaichat::testing;
    fake::gemini_emulator service{fake::gemini_reply::calls({{"fc-1", "door", {{"id", "attic"}}}}, "c2lnbmF0dXJl"),
                                  fake::gemini_reply::text("Open.")};
    ai::agent agent{ai::gemini{{.api_key = "test-key", .base_url = service.base_url()}},
                    {ai::capability("door", "State of a door.", [](std::string) { return "open"; }, ai::arg{"id"})}};
    CHECK(agent.ask("Is the attic open?").wait().text == "Open.");
    // [facts]
    const fake::recorded_request last = service.requests().back();
    CHECK(last.header("x-goog-api-key") == "test-key");
    CHECK(last.query.find("test-key") == std::string::npos);
    CHECK(last.every("thoughtSignature") == std::vector<ai::json>{"c2lnbmF0dXJl"});
    CHECK(last.every("functionResponse").size() == 1);
    CHECK(last.every("functionResponse")[0]["id"] == "fc-1");
    // [/facts]
}

TEST_CASE("guide: a cassette") {
    const auto door_agent = [](pyaichat::gemini provider) {
        namespace ai = pyaichat;
        return ai::agent{std::move(provider),
                         {ai::capability(
                             "door", "State of a door.", [](std::string id) { return id == "attic" ? "open" : "locked"; },
                             ai::arg{"id", "which door"})}};
    };
    // [cassette]
    namespace ai = pyaichat;
    namespace fake = pyaichat::testing;

    const char* recording = std::getenv("RECORD");  // RECORD=1 GEMINI_API_KEY=... to make it anew
    const std::string file = PYAICHAT_CASSETTES "/door.json";
    fake::cassette_player tape{file};
    ai::agent agent = door_agent(
        recording != nullptr ? ai::gemini{{.api_key = ai::env("GEMINI_API_KEY")}, fake::cassette_recorder{file, ai::net::https_transport{}}}
                             : ai::gemini{{.api_key = "any-key"}, tape});
    CHECK(agent.ask("Is the attic open?").wait().text == "The attic is open.");
    // [/cassette]
}
