#include "judged.hpp"

#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

namespace {

// [subject]
/// The real provider over HTTP, against an emulator for each situation.
fake::provider_subject over_emulator() {
    fake::provider_subject subject;
    const auto service = std::make_shared<std::unique_ptr<fake::gemini_emulator>>();
    subject.make = [service](situation meets) -> std::optional<ai::any_provider> {
        *service = std::make_unique<fake::gemini_emulator>();
        fake::gemini_emulator& serving = **service;
        if (meets == situation::calls) {
            serving.enqueue(fake::gemini_reply::calls({{"fc-1", "weather", {{"place", "Oslo"}}}}, "c2lnbmF0dXJl"));
        }
        serving.otherwise([meets](const fake::recorded_request&) {
            return meets == situation::unavailable
                       ? fake::gemini_reply::error(503, "UNAVAILABLE", "The model is overloaded. Please try again later.")
                   : meets == situation::hangs || meets == situation::hangs_past_time ? fake::gemini_reply::hang()
                                                                                      : fake::gemini_reply::text("It is sunny.");
        });
        return ai::any_provider(ai::gemini{{.api_key = "test-key", .base_url = serving.base_url()}});
    };
    subject.attempts = [service] { return (*service)->requests().size(); };
    return subject;
}
// [/subject]

}  // namespace

TEST_CASE("the Gemini provider conforms") {
    require_conforming(fake::check_provider(over_emulator()), 0);
}
