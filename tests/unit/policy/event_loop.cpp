#include <pyaichat/policy/event_loop.hpp>

#include "catch.hpp"

#include <utility>

namespace {

namespace ai = pyaichat;

struct counted_loop final : ai::event_loop {
    bool claim() override { return std::exchange(claimed, true) == false; }
    bool run(ai::duration) override { return claimed; }
    void wake() noexcept override {}
    void release() noexcept override { claimed = false; }
    bool claimed = false;
};

struct with_loop {
    std::shared_ptr<ai::event_loop> loop() const { return mine; }
    std::shared_ptr<ai::event_loop> mine = std::make_shared<counted_loop>();
};

struct without_loop {};

}  // namespace

TEST_CASE("the loop of an owner is its member, or null") {
    const with_loop owner;
    CHECK(ai::loop_of(owner) == owner.mine);
    CHECK(ai::loop_of(without_loop()) == nullptr);
}

TEST_CASE("a model of an event loop is claimed once until it is released") {
    const auto loop = ai::loop_of(with_loop());
    REQUIRE(loop->claim());
    CHECK_FALSE(loop->claim());
    loop->release();
    CHECK(loop->claim());
}
