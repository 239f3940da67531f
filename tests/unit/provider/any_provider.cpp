#include <pyaichat/provider/any_provider.hpp>

#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = ai::testing;

TEST_CASE("any provider passes requests on, and copies share the provider") {
    ai::any_provider first = fake::scripted_provider{fake::say("one"), fake::say("two")};
    ai::any_provider second = first;
    CHECK(first.complete({}, {}, {})->candidates[0].content.text() == "one");
    CHECK(second.complete({}, {}, {})->candidates[0].content.text() == "two");
    CHECK_FALSE(first.lent());
}

TEST_CASE("a borrowed provider is known to be lent") {
    fake::scripted_provider mine{fake::say("x")};
    ai::any_provider lent = ai::borrow(mine);
    CHECK(lent.lent());
    CHECK(lent.complete({}, {}, {}));
    CHECK(mine.request_count() == 1);
}

TEST_CASE("no provider says that there is none") {
    CHECK(ai::any_provider().complete({}, {}, {}).error().code == ai::errc::unavailable);
}
