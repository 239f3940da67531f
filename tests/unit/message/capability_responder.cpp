#include <pyaichat/message/capability_responder.hpp>

#include "catch.hpp"

#include <vector>

namespace ai = pyaichat;

namespace {
struct received {
    std::vector<ai::capability_reply> replies;
    ai::capability_responder responder() {
        return ai::capability_responder([this](ai::capability_reply reply) { replies.push_back(std::move(reply)); });
    }
};
}  // namespace

TEST_CASE("an answer arrives once and the responder is spent") {
    received seen;
    ai::capability_responder responder = seen.responder();
    REQUIRE(responder);
    responder(ai::result<ai::json>(ai::json(5)));
    CHECK_FALSE(responder);
    REQUIRE(seen.replies.size() == 1);
    CHECK(seen.replies[0].result == 5);
}

TEST_CASE("a responder that is dropped replies abandoned") {
    received seen;
    {
        const ai::capability_responder responder = seen.responder();
    }
    REQUIRE(seen.replies.size() == 1);
    CHECK(seen.replies[0].code == ai::reply_code::abandoned);
}

TEST_CASE("a responder that is moved owes one answer, not two") {
    received seen;
    {
        ai::capability_responder first = seen.responder();
        ai::capability_responder second = std::move(first);
        CHECK_FALSE(first);
        second(ai::reply_with("x"));
    }
    REQUIRE(seen.replies.size() == 1);
    CHECK(seen.replies[0].ok());
}

TEST_CASE("a responder that is overwritten abandons what it owed") {
    received seen;
    ai::capability_responder responder = seen.responder();
    responder = ai::capability_responder();
    REQUIRE(seen.replies.size() == 1);
    CHECK(seen.replies[0].code == ai::reply_code::abandoned);
}
