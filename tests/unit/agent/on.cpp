#include <pyaichat/agent/on.hpp>

#include "catch.hpp"

#include <memory>
#include <string>

namespace ai = pyaichat;

TEST_CASE("each observer sees the events that it names, in the order of the observers") {
    std::string seen;
    ai::on observers{[&](const ai::text_delta& delta) { seen += "t:" + delta.text + " "; },
                     [&](const ai::event& one) { seen += std::to_string(one.number) + " "; },
                     [&](const ai::call_started& call) { seen += "c:" + call.name + " "; }};
    observers({.number = 1, .data = ai::text_delta{.text = "hi"}});
    observers({.number = 2, .data = ai::call_started{.name = "f"}});
    observers({.number = 3, .data = ai::step_finished{}});
    CHECK(seen == "t:hi 1 2 c:f 3 ");
}

TEST_CASE("an observer may own what can only be moved, and no observer is fine") {
    int seen = 0;
    ai::on owning{[held = std::make_unique<int>(3), &seen](const ai::step_started&) { seen = *held; }};
    owning({.data = ai::step_started{}});
    CHECK(seen == 3);
    ai::on nobody;
    nobody({.data = ai::step_started{}});
    CHECK(seen == 3);
}
