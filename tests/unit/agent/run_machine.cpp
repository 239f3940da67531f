#include <pyaichat/agent/run_machine.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;

namespace {

const ai::action::call_model& model_call(ai::run_machine& machine, ai::instant now) {
    REQUIRE(std::holds_alternative<ai::action::call_model>(machine.next(now)));
    return std::get<ai::action::call_model>(machine.next(now));
}

ai::run_machine asked(ai::limits bounds = {}) {
    ai::run_machine machine({.run_id = "r", .question = "q", .limits = bounds}, {});
    machine.feed(ai::input::declarations{}, {});
    return machine;
}

}  // namespace

TEST_CASE("the machine says the same until it is fed") {
    ai::run_machine machine({.run_id = "r", .question = "q"}, {});
    CHECK(std::holds_alternative<ai::action::list_capabilities>(machine.next({})));
    CHECK(std::holds_alternative<ai::action::list_capabilities>(machine.next({})));
    machine.feed(ai::input::declarations{}, {});
    CHECK(model_call(machine, {}).attempt == 1);
    CHECK(model_call(machine, {}).attempt == 1);
    CHECK(model_call(machine, {}).request.messages.size() == 1);
}

TEST_CASE("an input for an attempt or a call that is not open is ignored and counted") {
    ai::run_machine machine = asked();
    machine.feed(ai::input::model_result{.attempt = 7, .outcome = fake::response_of(ai::model_message("late"))}, {});
    machine.feed(ai::input::model_delta{.attempt = 7, .text = "late"}, {});
    machine.feed(ai::input::call_reply{.call = 1}, {});
    CHECK(machine.ignored_inputs() == 3);
    CHECK(model_call(machine, {}).attempt == 1);
    machine.feed(ai::input::model_result{.attempt = 1, .outcome = fake::response_of(ai::model_message("hello"))}, {});
    REQUIRE(std::holds_alternative<ai::action::finished>(machine.next({})));
    CHECK(std::get<ai::action::finished>(machine.next({})).answer.text == "hello");
    machine.feed(ai::input::cancel{}, {});
    CHECK(machine.ignored_inputs() == 4);
    CHECK(std::get<ai::action::finished>(machine.next({})).answer.reason == ai::stop_reason::complete);
}

TEST_CASE("a deadline takes effect by asking what is next") {
    ai::run_machine machine = asked({.step_timeout = 2s});
    CHECK(machine.deadline() == ai::instant{} + 2s);
    CHECK(model_call(machine, ai::instant{} + 1999ms).attempt == 1);
    REQUIRE(std::holds_alternative<ai::action::finished>(machine.next(ai::instant{} + 2s)));
    CHECK(std::get<ai::action::finished>(machine.next(ai::instant{} + 2s)).answer.reason == ai::stop_reason::step_timeout);
    CHECK(machine.deadline() == ai::instant::max());
    CHECK(std::holds_alternative<ai::action::finished>(machine.next(ai::instant::max())));
}

TEST_CASE("the same inputs give the same requests and the same events") {
    const auto once = [] {
        std::string log;
        ai::run_machine machine({.run_id = "r", .instructions = "i", .question = "q", .seed = 5}, {});
        machine.feed(ai::input::declarations{}, {});
        machine.feed(ai::input::model_result{.attempt = 1, .outcome = ai::failure{.code = ai::errc::unavailable}}, {});
        log += std::to_string(std::get<ai::action::wait>(machine.next({})).until.time_since_epoch().count());
        while (const ai::event* one = machine.take_event()) {
            log += std::to_string(one->number) + std::string(ai::event_name(*one));
        }
        return log;
    };
    CHECK(once() == once());
}

TEST_CASE("a limit that is out of range refuses the run and says how to mend it") {
    const auto refused = [](ai::limits bounds) {
        ai::run_machine machine({.run_id = "r", .question = "q", .limits = bounds}, {});
        REQUIRE(std::holds_alternative<ai::action::finished>(machine.next({})));
        const ai::answer& reply = std::get<ai::action::finished>(machine.next({})).answer;
        CHECK(reply.reason == ai::stop_reason::misconfigured);
        REQUIRE(reply.error);
        CHECK(reply.error->code == ai::errc::invalid_argument);
        return reply.text;
    };
    CHECK(refused({.max_steps = 0}).find("max_steps") != std::string::npos);
    CHECK(refused({.step_timeout = 0s}).find("step_timeout") != std::string::npos);
    CHECK(refused({.total_timeout = -1s}).find("total_timeout") != std::string::npos);
    CHECK(refused({.call_timeout = 0s}).find("call_timeout") != std::string::npos);
    CHECK(refused({.max_calls = 0}).find("max_calls") != std::string::npos);
}

TEST_CASE("a question without a text is not sent") {
    ai::run_machine machine({.run_id = "r", .question = " \n"}, {});
    REQUIRE(std::holds_alternative<ai::action::finished>(machine.next({})));
    CHECK(std::get<ai::action::finished>(machine.next({})).answer.reason == ai::stop_reason::misconfigured);
}
