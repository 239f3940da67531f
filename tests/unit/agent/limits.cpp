#include <pyaichat/agent/limits.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("the defaults are in range, and zero switches off what says so") {
    CHECK(ai::check(ai::limits{}));
    CHECK(ai::check(
        ai::limits{.invalid_response_retries = 0, .transport_retries = 0, .max_reply_bytes = 0, .max_tokens_total = 0, .max_repeats = 0}));
}

TEST_CASE("a limit out of range is named, with what to set it to") {
    for (const ai::limits& wrong : {ai::limits{.max_steps = -1}, ai::limits{.max_calls_per_step = 0}, ai::limits{.max_repeats = -1},
                                    ai::limits{.max_reply_bytes = 10}, ai::limits{.transport_retries = -1},
                                    ai::limits{.invalid_response_retries = -1}, ai::limits{.max_tokens_total = -1}}) {
        const auto outcome = ai::check(wrong);
        REQUIRE_FALSE(outcome);
        CHECK(outcome.error().message.find("limits::") != std::string::npos);
        CHECK(outcome.error().hint.rfind("Set limits::", 0) == 0);
    }
}
