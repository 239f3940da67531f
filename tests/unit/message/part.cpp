#include <pyaichat/message/part.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a part is one thing, and asking for another gives null") {
    const ai::part said = ai::text_part{.text = "hello"};
    REQUIRE(said.as<ai::text_part>() != nullptr);
    CHECK(said.as<ai::text_part>()->text == "hello");
    CHECK(said.as<ai::call_part>() == nullptr);
}

TEST_CASE("a call without arguments has an empty object of them") {
    CHECK(ai::call_part{}.arguments == ai::json::object());
    CHECK(ai::response_part{}.response == ai::json::object());
}
