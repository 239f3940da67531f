#include <pyaichat/message/conversation.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a copy of a conversation is independent and shares its messages") {
    ai::conversation first{ai::user_message("one"), ai::model_message("two")};
    ai::conversation second = first;
    first.replace_back(ai::model_message("other"));
    first.push_back(ai::user_message("three"));
    CHECK(first.size() == 3);
    CHECK(first[1].text() == "other");
    CHECK(second.size() == 2);
    CHECK(second.back().text() == "two");
    CHECK(&first[0] == &second[0]);
}

TEST_CASE("a conversation is read in order") {
    const ai::conversation talk{ai::user_message("a"), ai::model_message("b"), ai::user_message("c")};
    std::string joined;
    for (const ai::message& one : talk) {
        joined += one.text();
    }
    CHECK(joined == "abc");
}
