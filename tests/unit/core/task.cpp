#include <pyaichat/core/task.hpp>

#include "catch.hpp"

#include <memory>

namespace ai = pyaichat;

TEST_CASE("a task owns what can only be moved and runs it") {
    int seen = 0;
    ai::task work = [held = std::make_unique<int>(4), &seen] { seen = *held; };
    ai::task moved = std::move(work);
    CHECK_FALSE(work);
    REQUIRE(moved);
    moved();
    CHECK(seen == 4);
}

TEST_CASE("a task that is dropped destroys what it owns") {
    const auto held = std::make_shared<int>(1);
    {
        const ai::task work = [held] {};
        CHECK(held.use_count() == 2);
    }
    CHECK(held.use_count() == 1);
}

TEST_CASE("a function passes arguments and result through") {
    ai::unique_function<int(int, std::unique_ptr<int>)> sum = [](int a, std::unique_ptr<int> b) { return a + *b; };
    CHECK(sum(1, std::make_unique<int>(2)) == 3);
}
