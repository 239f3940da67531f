#include <pyaichat/policy/borrow.hpp>

#include <pyaichat/capability/function.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("what is done to a loan is done to its owner's object") {
    ai::testing::manual_clock clock;
    const auto lent_clock = ai::borrow(clock);
    clock.advance(std::chrono::seconds(1));
    CHECK(lent_clock.now() == clock.now());

    ai::testing::manual_executor background;
    auto lent_background = ai::borrow(background);
    lent_background.submit([] {});
    CHECK(background.pending() == 1);

    ai::function_capability source = ai::capability("f", "F.", [] { return 4; });
    auto lent_source = ai::borrow(source);
    CHECK(lent_source.specs().data() == source.specs().data());
    ai::json result;
    lent_source.invoke({}, ai::capability_responder([&](ai::capability_reply reply) { result = reply.result; }));
    CHECK(result == 4);
}
