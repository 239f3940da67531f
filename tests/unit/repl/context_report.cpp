#include "assistant/context_report.hpp"

#include "catch.hpp"

namespace ai = pyaichat;

namespace {

ai::capability_spec door() {
    ai::capability_spec spec{.name = "open_door",
                             .description = "Open one door.",
                             .effects = ai::effects::idempotent,
                             .from = ai::provenance::file,
                             .origin = "doors.lua"};
    spec.parameters =
        *ai::parse_json(R"({"type":"object","required":["id"],"properties":{"id":{"type":"string"},"force":{"type":"boolean"}}})");
    return spec;
}

}  // namespace

TEST_CASE("a signature marks the parameters that may be left out") {
    CHECK(repl::signature_of(door()) == "open_door(force?, id)");
    CHECK(repl::signature_of({.name = "look"}) == "look()");
    ai::capability_spec odd{.name = "odd"};
    odd.parameters = *ai::parse_json(R"({"properties":3,"required":"id"})");
    CHECK(repl::signature_of(odd) == "odd()");
}

TEST_CASE("the context has the instructions, a line for each function, and the messages that are kept") {
    const ai::capability_spec specs[] = {door()};
    const std::string alone = repl::context_report("Be brief.\nBe right.", specs, {});
    CHECK(alone ==
          "instructions\n  Be brief.\n  Be right.\nfunctions\n  open_door(force?, id) [file doors.lua, idempotent] Open one door.\n"
          "messages\n  only the question\n");
    const std::string more =
        repl::context_report("Be brief.", {}, {ai::user_message("what is\nx?"), ai::model_message("red \x1b[31m text")});
    CHECK(more.find("  user: what is x?\n  model: red [31m text\n") != std::string::npos);
}
