#include <pyaichat/testing/manual_clock.hpp>

#include "catch.hpp"

TEST_CASE("a manual clock stands still until it is advanced") {
    pyaichat::testing::manual_clock clock;
    const auto start = clock.now();
    CHECK(clock.now() == start);
    clock.advance(std::chrono::seconds(3));
    CHECK(clock.now() - start == std::chrono::seconds(3));
}
