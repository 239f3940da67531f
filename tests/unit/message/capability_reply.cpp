#include <pyaichat/message/capability_reply.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("the envelope of a result and of an error is what the specification says") {
    ai::json result = ai::json::object();
    result["n"] = 1;
    CHECK(ai::dump_json(ai::reply_with(result).envelope()) == R"({"ok":true,"result":{"n":1}})");
    CHECK(ai::dump_json(ai::reply_error(ai::reply_code::busy, "later").envelope()) ==
          R"({"error":{"code":"busy","details":{},"message":"later"},"ok":false})");
}

TEST_CASE("a note and a cut are said beside the result") {
    ai::capability_reply reply = ai::reply_with("x");
    reply.note = "again";
    reply.truncated = ai::json::object();
    reply.truncated["bytes"] = 9;
    CHECK(ai::dump_json(reply.envelope()) == R"({"note":"again","ok":true,"result":"x","truncated":{"bytes":9}})");
}

TEST_CASE("of a failure the model sees the hint, and the message when there is none") {
    const auto hinted = ai::to_reply(ai::failure{.code = ai::errc::invalid_argument, .message = "log", .hint = "set `force`"});
    CHECK(hinted.code == ai::reply_code::invalid_args);
    CHECK(hinted.message == "set `force`");
    const auto plain = ai::to_reply(ai::failure{.code = ai::errc::not_found, .message = "no such door"});
    CHECK(plain.code == ai::reply_code::internal);
    CHECK(plain.message == "no such door");
    CHECK_FALSE(ai::to_reply(ai::failure{}).message.empty());
}
