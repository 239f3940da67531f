#include "judged.hpp"

#include <pyaichat/anthropic/anthropic.hpp>
#include <pyaichat/anthropic/codec.hpp>
#include <pyaichat/message/history.hpp>
#include <pyaichat/testing/anthropic_emulator.hpp>

#include "random_history.hpp"

namespace {

/// The real provider over HTTP, against an emulator for each situation.
fake::provider_subject over_anthropic() {
    fake::provider_subject subject;
    const auto service = std::make_shared<std::unique_ptr<fake::anthropic_emulator>>();
    subject.make = [service](situation meets) -> std::optional<ai::any_provider> {
        *service = std::make_unique<fake::anthropic_emulator>();
        fake::anthropic_emulator& serving = **service;
        if (meets == situation::calls) {
            serving.enqueue(fake::anthropic_reply::calls({{"toolu_1", "weather", {{"place", "Oslo"}}}}).thinking("", "c2lnbmF0dXJl"));
        }
        serving.otherwise([meets](const fake::recorded_request&) {
            return meets == situation::unavailable                                    ? fake::anthropic_reply::overloaded()
                   : meets == situation::hangs || meets == situation::hangs_past_time ? fake::anthropic_reply::hang()
                                                                                      : fake::anthropic_reply::text("It is sunny.");
        });
        return ai::any_provider(ai::anthropic{{.api_key = "test-key", .base_url = serving.base_url()}});
    };
    subject.attempts = [service] { return (*service)->requests().size(); };
    return subject;
}

}  // namespace

TEST_CASE("the Anthropic provider conforms") {
    require_conforming(fake::check_provider(over_anthropic()), 0);
}

TEST_CASE("Anthropic takes any history, repaired or not, with a question behind it") {
    ai::model_request request;
    request.declarations = *ai::declare({{.name = "f", .description = "F."}, {.name = "g", .description = "G."}});
    const ai::anthropic_options options;
    int with_results = 0;
    for (unsigned seed = 0; seed < 1'000; ++seed) {
        std::mt19937 random(seed);
        ai::conversation history = support::random_history(random);
        history.push_back(ai::user_message("What now?"));
        for (const bool repaired : {true, false}) {
            request.messages = repaired ? ai::repair_history(history) : history;
            const ai::result<std::string> body = ai::anthropic_codec::encode_request(request, options);
            REQUIRE(body);
            if (const auto refused = fake::check_anthropic_request(
                    "POST", "/v1/messages", {{"x-api-key", "test-key"}, {"anthropic-version", options.version}}, *body)) {
                FAIL("seed " << seed << ": " << refused->message() << "\n" << *body);
            }
            with_results += body->find("tool_result") != std::string::npos ? 1 : 0;
        }
    }
    CHECK(with_results > 200);
}
