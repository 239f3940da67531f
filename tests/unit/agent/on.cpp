#include <pyaichat/agent/on.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;

TEST_CASE("each observer sees the events that it names, in the order of the observers") {
    std::string seen;
    const ai::on observers{[&](const ai::text_delta& delta) { seen += "t:" + delta.text + " "; },
                           [&](const ai::event& one) { seen += std::to_string(one.number) + " "; },
                           [&](const ai::call_started& call) { seen += "c:" + call.name + " "; }};
    observers({.number = 1, .data = ai::text_delta{.text = "hi"}});
    observers({.number = 2, .data = ai::call_started{.name = "f"}});
    observers({.number = 3, .data = ai::step_finished{}});
    CHECK(seen == "t:hi 1 2 c:f 3 ");
    ai::on()({.number = 4});
}
