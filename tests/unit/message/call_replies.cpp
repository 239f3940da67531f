#include "message/call_replies.hpp"

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("replies find their calls by id, or by name in the order of the calls") {
    ai::detail::call_replies due;
    due.add({"a", "f"});
    due.add({"b", "f"});
    due.add({"", "f"});
    CHECK(due.find({"b", "f"}) == 1u);
    CHECK(due.find({"", "f"}) == 0u);
    due.set(0, "x");
    CHECK(due.find({"", "f"}) == 1u);
    due.set(1, "yy");
    CHECK_FALSE(due.find({"a", "g"}));
    CHECK(due.find({"other", "f"}) == 2u);
    CHECK(due.bytes() == 3);
    due.clear();
    CHECK(due.empty());
    CHECK_FALSE(due.find({"a", "f"}));
}
