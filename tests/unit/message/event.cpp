#include <pyaichat/message/event.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("an event is named after its data") {
    CHECK(ai::event_name({.data = ai::run_started{}}) == "run_started");
    CHECK(ai::event_name({.data = ai::step_withdrawn{}}) == "step_withdrawn");
    CHECK(ai::event_name({.data = ai::partial_value{}}) == "partial_value");
    CHECK(ai::event_name({.data = ai::call_output{}}) == "call_output");
    CHECK(ai::event_name({.data = ai::run_finished{}}) == "run_finished");
}
