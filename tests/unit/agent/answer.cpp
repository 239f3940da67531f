#include <pyaichat/agent/answer.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("only a complete answer is not degraded") {
    for (int i = 0; i <= static_cast<int>(ai::stop_reason::misconfigured); ++i) {
        const ai::answer one{.reason = static_cast<ai::stop_reason>(i)};
        CHECK(one.degraded() == (one.reason != ai::stop_reason::complete));
    }
}
