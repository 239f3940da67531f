#include <pyaichat/message/message.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("the text of a message is its text parts without thoughts") {
    ai::message mixed;
    mixed.parts = {ai::thought_part{.text = "hm"}, ai::text_part{.text = "a"}, ai::call_part{.name = "f"}, ai::text_part{.text = "b"}};
    CHECK(mixed.text() == "ab");
    CHECK(mixed.has_calls());
    CHECK_FALSE(ai::model_message("x").has_calls());
    CHECK(ai::model_message("x").role == ai::role::model);
}
