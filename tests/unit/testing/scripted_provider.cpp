#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

TEST_CASE("a script is followed in order, and its end is a failure") {
    fake::scripted_provider model{fake::say("one"), fake::fail(ai::errc::unavailable, std::chrono::seconds(3), "later")};
    model.add(fake::call("f", {{"n", 1}}, "id"));
    CHECK(model.complete({}, {}, {})->candidates[0].content.text() == "one");
    const auto failed = model.complete({}, {}, {});
    CHECK(failed.error().retry_after == std::chrono::seconds(3));
    CHECK(failed.error().hint == "later");
    const auto called = model.complete({}, {}, {});
    REQUIRE(called);
    const auto* call = called->candidates[0].content.parts[0].as<ai::call_part>();
    REQUIRE(call != nullptr);
    CHECK(call->id == "id");
    CHECK(model.complete({}, {}, {}).error().code == ai::errc::internal);
    CHECK(model.request_count() == 4);
}

TEST_CASE("copies of a scripted provider share its script, and requests are kept") {
    fake::scripted_provider first{fake::say("one"), fake::say("two")};
    fake::scripted_provider second = first;
    CHECK(second.complete({.instructions = "a"}, {}, {})->candidates[0].content.text() == "one");
    CHECK(first.complete({.instructions = "b"}, {}, {})->candidates[0].content.text() == "two");
    CHECK(first.requests()[0].instructions == "a");
}

TEST_CASE("a hanging model returns when its token is tripped") {
    fake::scripted_provider model{fake::hang()};
    ai::cancel_source source;
    source.request_stop();
    CHECK(model.complete({}, {}, source.get_token()).error().code == ai::errc::cancelled);
}

TEST_CASE("a streaming model shows its pieces before it answers") {
    fake::scripted_provider model{fake::stream({"a", "b"})};
    std::string shown;
    const ai::delta_sink sink([&](ai::delta_sink::kind, std::string_view piece) { shown += piece; });
    CHECK(model.complete({}, sink, {})->candidates[0].content.text() == "ab");
    CHECK(shown == "ab");
}
