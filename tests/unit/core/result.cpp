#include <pyaichat/core/result.hpp>

#include "catch.hpp"

#include <memory>
#include <stdexcept>
#include <string>

namespace ai = pyaichat;

TEST_CASE("a result is a value or a failure") {
    ai::result<int> good = 3;
    REQUIRE(good);
    CHECK(*good == 3);
    CHECK(good.value_or(7) == 3);
    const ai::result<int> bad = ai::failure{.code = ai::errc::busy, .message = "m", .hint = "h"};
    REQUIRE_FALSE(bad);
    CHECK(bad.error().code == ai::errc::busy);
    CHECK(bad.value_or(7) == 7);
}

TEST_CASE("a result carries what can only be moved") {
    ai::result<std::unique_ptr<int>> made = std::make_unique<int>(5);
    const std::unique_ptr<int> taken = *std::move(made);
    CHECK(*taken == 5);
}

TEST_CASE("a result of nothing is done or a failure") {
    CHECK(ai::result<void>());
    CHECK_FALSE(ai::result<void>(ai::failure{}));
}

TEST_CASE("a seam hands on what foreign code returns") {
    const auto caught = [](std::string_view what) { return std::make_unique<std::string>(what); };
    CHECK(*ai::guarded([] { return std::make_unique<std::string>("fine"); }, caught) == "fine");
    bool ran = false;
    ai::guarded([&] { ran = true; }, [](std::string_view) {});
    CHECK(ran);
}

#if PYAICHAT_HAS_EXCEPTIONS
TEST_CASE("a seam turns whatever is thrown into a value") {
    const auto caught = [](std::string_view what) { return "caught: " + std::string(what); };
    CHECK(ai::guarded([]() -> std::string { throw std::runtime_error("broken"); }, caught) == "caught: broken");
    CHECK(ai::guarded([]() -> std::string { throw 42; }, caught).find("not a std::exception") != std::string::npos);
    std::string seen;
    ai::guarded([] { throw std::runtime_error("of nothing"); }, [&](std::string_view what) { seen = what; });
    CHECK(seen == "of nothing");
}
#endif
