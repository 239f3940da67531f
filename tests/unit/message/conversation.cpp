#include <pyaichat/message/conversation.hpp>

#include "catch.hpp"

#include <string>
#include <thread>

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

TEST_CASE("going on from a copy leaves the original as it was, whoever goes first") {
    ai::conversation first;
    for (int i = 0; i < 100; ++i) {
        first.push_back(ai::user_message(std::to_string(i)));
    }
    ai::conversation second = first;
    second.push_back(ai::user_message("second"));
    first.push_back(ai::user_message("first"));
    CHECK(first.size() == 101);
    CHECK(second.size() == 101);
    CHECK(first.back().text() == "first");
    CHECK(second.back().text() == "second");
    for (std::size_t i = 0; i < 100; ++i) {
        REQUIRE(first[i].text() == std::to_string(i));
        REQUIRE(&first[i] == &second[i]);
    }
}

TEST_CASE("what two conversations begin with together is known") {
    ai::conversation first{ai::user_message("a"), ai::model_message("b")};
    ai::conversation second = first;
    second.push_back(ai::user_message("c"));
    CHECK(first.shared_prefix(second) == 2);
    first.replace_back(ai::model_message("other"));
    CHECK(first.shared_prefix(second) == 1);
    CHECK(second.shared_prefix(first) == 1);
    CHECK(first.shared_prefix({}) == 0);
    ai::conversation third;
    third.push_back(second.share(0));
    CHECK(third.shared_prefix(second) == 1);
}

TEST_CASE("a conversation that another thread goes on from is read meanwhile") {
    ai::conversation talk;
    for (int i = 0; i < 7; ++i) {
        talk.push_back(ai::user_message("x"));
    }
    std::thread reader([copy = talk] {
        std::size_t letters = 0;
        for (int round = 0; round < 1000; ++round) {
            for (const ai::message& one : copy) {
                letters += one.text().size();
            }
        }
        CHECK(letters == 7000);
    });
    for (int i = 0; i < 1000; ++i) {
        talk.push_back(ai::user_message("y"));
    }
    reader.join();
    CHECK(talk.size() == 1007);
}
