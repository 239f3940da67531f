#include <pyaichat/agent/answer.hpp>

#include "catch.hpp"

#include <set>

namespace ai = pyaichat;

TEST_CASE("only a complete answer is not degraded, and every reason has a name") {
    std::set<std::string_view> names;
    for (int i = 0; i <= static_cast<int>(ai::stop_reason::misconfigured); ++i) {
        const ai::answer one{.reason = static_cast<ai::stop_reason>(i)};
        names.insert(ai::to_string(one.reason));
        CHECK(one.degraded() == (one.reason != ai::stop_reason::complete));
    }
    CHECK(names.size() == 15);
    CHECK(names.count("unknown") == 0);
}
