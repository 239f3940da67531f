#include "anthropic/call_ids.hpp"

#include "catch.hpp"

using pyaichat::anthropic_codec::call_ids;
using pyaichat::anthropic_codec::plain_name;

TEST_CASE("an id that the service accepts is kept") {
    call_ids ids;
    CHECK(ids.take("toolu_01-Ab") == "toolu_01-Ab");
    CHECK(ids.take("fc-1") == "fc-1");
}

TEST_CASE("ids of other services are mapped without collisions, the same way every time") {
    for (int round = 0; round < 2; ++round) {
        call_ids ids;
        CHECK(ids.take("functions.get:0") == "functions_get_0");
        CHECK(ids.take("functions_get_0") == "functions_get_0_2");
        CHECK(ids.take("functions.get:0") == "functions_get_0_3");
        CHECK(ids.take("") == "toolu");
        CHECK(ids.take("") == "toolu_5");
        CHECK(ids.take("toolu_5") == "toolu_5_6");
    }
}

TEST_CASE("a foreign name is cut and cleaned") {
    CHECK(plain_name("a.b c") == "a_b_c");
    CHECK(plain_name(std::string(100, 'x')).size() == 64);
}
