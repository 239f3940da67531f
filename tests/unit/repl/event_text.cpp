#include "assistant/event_text.hpp"

#include "catch.hpp"

#include <algorithm>

namespace ai = pyaichat;
using namespace std::chrono_literals;

TEST_CASE("why a model call is made again is said in words, not as a code") {
    CHECK(repl::say_retry_reason("connection_failed") == "the connection failed");
    CHECK(repl::say_retry_reason("rate_limited") == "the service asks for a delay");
    CHECK(repl::say_retry_reason("unavailable") == "the service is unavailable");
    CHECK(repl::say_retry_reason("bad_response") == "bad response");
}

TEST_CASE("a trace has a line for each event, with the time since the first") {
    const ai::instant begun{1s};
    ai::json arguments = ai::json::object();
    arguments["expr"] = "x";
    const std::vector<ai::event> events = {
        {.number = 1, .time = begun, .data = ai::run_started{.question = "what\nis x?"}},
        {.number = 2, .time = begun + 250us, .data = ai::step_started{.step = 1}},
        {.number = 3,
         .time = begun + 2ms,
         .data =
             ai::call_finished{.call = 1, .name = "get_repr", .arguments = arguments, .reply = ai::reply_with("[1, 2]"), .took = 400us}},
        {.number = 4,
         .time = begun + 3ms,
         .data = ai::call_denied{.call = 2,
                                 .name = "open_door",
                                 .arguments = ai::json::object(),
                                 .reply = ai::reply_error(ai::reply_code::denied, "no \x1b[31mred")}},
        {.number = 5, .time = begun + 4ms, .data = ai::run_finished{.reason = ai::stop_reason::complete}},
    };
    const std::string trace = repl::trace_of(events);
    CHECK(std::count(trace.begin(), trace.end(), '\n') == 5);
    CHECK(trace.find("       0.0 ms  run_started      what is x?\n") == 0);
    CHECK(trace.find("       2.0 ms  call_finished    #1 get_repr(x) 0.4 ms -> \"[1, 2]\"\n") != std::string::npos);
    CHECK(trace.find("call_denied      #2 open_door() -> denied: no [31mred\n") != std::string::npos);
    CHECK(trace.find("       4.0 ms  run_finished     complete\n") != std::string::npos);
    CHECK(repl::trace_of({}).empty());
}
