#include <pyaichat/openai/openai.hpp>

#include <pyaichat/testing/openai_emulator.hpp>

#include "judged.hpp"

namespace {

/// The real provider over HTTP, against an emulator for each situation.
fake::provider_subject over_openai_emulator(bool stream, ai::openai_api api = ai::openai_api::chat) {
    fake::provider_subject subject;
    const auto service = std::make_shared<std::unique_ptr<fake::openai_emulator>>();
    subject.make = [service, stream, api](situation meets) -> std::optional<ai::any_provider> {
        *service = std::make_unique<fake::openai_emulator>();
        fake::openai_emulator& serving = **service;
        if (meets == situation::calls) {
            serving.enqueue(fake::openai_reply::calls({{"call_1", "weather", R"({"place":"Oslo"})"}}));
        }
        serving.otherwise([meets](const fake::recorded_request&) {
            return meets == situation::unavailable ? fake::openai_reply::error(503, "The model is overloaded.", "server_is_overloaded")
                   : meets == situation::hangs || meets == situation::hangs_past_time ? fake::openai_reply::hang()
                                                                                      : fake::openai_reply::text("It is sunny.");
        });
        return ai::any_provider(ai::openai{{.api_key = "test-key", .base_url = serving.base_url(), .api = api, .stream = stream}});
    };
    subject.attempts = [service] { return (*service)->requests().size(); };
    return subject;
}

}  // namespace

TEST_CASE("the OpenAI provider conforms, streamed and whole") {
    require_conforming(fake::check_provider(over_openai_emulator(true)), 0);
    require_conforming(fake::check_provider(over_openai_emulator(false)), 0);
}

TEST_CASE("the OpenAI provider conforms over the Responses API, streamed and whole") {
    require_conforming(fake::check_provider(over_openai_emulator(true, ai::openai_api::responses)), 0);
    require_conforming(fake::check_provider(over_openai_emulator(false, ai::openai_api::responses)), 0);
}
