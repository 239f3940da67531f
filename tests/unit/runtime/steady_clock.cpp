#include <pyaichat/runtime/steady_clock.hpp>

#include <pyaichat/policy/run_clock.hpp>

#include "catch.hpp"

TEST_CASE("the steady clock passes by itself and never goes back") {
    STATIC_REQUIRE(pyaichat::is_real_time<pyaichat::steady_clock>);
    const pyaichat::steady_clock clock;
    const auto first = clock.now();
    while (clock.now() == first) {
    }
    CHECK(clock.now() > first);
}
