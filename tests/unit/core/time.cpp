#include <pyaichat/core/time.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
using namespace std::chrono_literals;

TEST_CASE("adding to an instant saturates instead of overflowing") {
    const ai::instant start = ai::instant{} + 5s;
    CHECK(ai::after(start, 2s) == ai::instant{} + 7s);
    CHECK(ai::after(start, ai::duration::max()) == ai::instant::max());
    CHECK(ai::after(start, -2s) == ai::instant{} + 3s);
}

TEST_CASE("a wait is bounded on both sides") {
    CHECK(ai::bounded_wait(5s) == 5s);
    CHECK(ai::bounded_wait(-5s) == 0s);
    CHECK(ai::bounded_wait(ai::duration::max()) == ai::longest_wait);
}

TEST_CASE("spans are described in the unit that a person would use") {
    CHECK(ai::describe(8s) == "8 s");
    CHECK(ai::describe(1500ms) == "1.5 s");
    CHECK(ai::describe(56185ms) == "56.2 s");
    CHECK(ai::describe(250ms) == "250 ms");
    CHECK(ai::describe(400us) == "400 us");
    CHECK(ai::describe(0s) == "0 ns");
    CHECK(ai::describe(-3s) == "0 ns");
}
