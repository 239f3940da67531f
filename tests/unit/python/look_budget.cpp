#include "python/look/look_budget.hpp"

#include "catch.hpp"

using namespace pyaichat::python::detail;

TEST_CASE("steps and bytes of a look are counted") {
    look_budget budget(std::chrono::hours(1), 1000, 100);
    CHECK(budget.spend(400));
    CHECK(budget.spend(600));
    CHECK(budget.spend(0));
    CHECK_FALSE(budget.spend(1));
    CHECK_FALSE(budget.timed_out());
    CHECK(budget.allocate(60));
    CHECK_FALSE(budget.allocate(41));
    CHECK(budget.allocate(40));
}

TEST_CASE("the clock of a look is read only after many steps") {
    look_budget late(std::chrono::seconds(-1));
    CHECK(late.spend(look_budget::steps_between_clocks - 1));
    CHECK_FALSE(late.timed_out());
    CHECK_FALSE(late.spend(1));
    CHECK(late.timed_out());
    CHECK_FALSE(late.spend(0));
}
