#include <pyaichat/testing/manual_executor.hpp>

#include "catch.hpp"

#include <memory>

namespace fake = pyaichat::testing;

TEST_CASE("tasks wait until the test runs them, in order") {
    fake::manual_executor background;
    std::string order;
    background.submit([&] {
        order += "a";
        background.submit([&] { order += "c"; });
    });
    background.submit([&] { order += "b"; });
    CHECK(background.pending() == 2);
    CHECK(order.empty());
    background.run_all();
    CHECK(order == "abc");
    CHECK_FALSE(background.run_one());
}

TEST_CASE("dropped tasks are destroyed unrun") {
    fake::manual_executor background;
    const auto held = std::make_shared<int>(0);
    background.submit([held] { ++*held; });
    background.drop_all();
    CHECK(held.use_count() == 1);
    CHECK(*held == 0);
}
