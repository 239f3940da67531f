#include <pyaichat/policy/model_provider.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;

TEST_CASE("a sink passes on what is shown, and a default one swallows it") {
    std::string seen;
    const ai::delta_sink sink([&](ai::delta_sink::kind what, std::string_view piece) {
        seen += what == ai::delta_sink::kind::text ? "text:" : what == ai::delta_sink::kind::thought ? "thought:" : "restart";
        seen += piece;
    });
    sink.text("a ");
    sink.thought("b ");
    sink.restart();
    CHECK(seen == "text:a thought:b restart");
    ai::delta_sink().text("nobody sees this");
}

TEST_CASE("no provider fails every attempt with something to do") {
    const auto outcome = ai::no_provider().complete({}, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK_FALSE(outcome.error().hint.empty());
}
