#include <pyaichat/testing/recorder.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a recorder keeps events and shows their order at a glance") {
    ai::testing::recorder record;
    record({.number = 1, .data = ai::run_started{.question = "q"}});
    record({.number = 2, .data = ai::text_delta{.text = "a"}});
    record({.number = 3, .data = ai::text_delta{.text = "b"}});
    CHECK(record.names() == "run_started text_delta text_delta");
    REQUIRE(record.all<ai::text_delta>().size() == 2);
    CHECK(record.all<ai::text_delta>()[1].text == "b");
    CHECK(record.events().size() == 3);
}
