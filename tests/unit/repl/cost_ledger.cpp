#include "assistant/cost_ledger.hpp"

#include "catch.hpp"

using namespace std::chrono_literals;
namespace ai = pyaichat;

TEST_CASE("the cost of a question is its tokens and its time") {
    CHECK(repl::say_usage({.input_tokens = 1234567, .output_tokens = 56}, 2340ms, {}) == "1,234,567 tokens in, 56 out · 2.3 s");
    CHECK(repl::say_usage({.input_tokens = 100, .output_tokens = 5, .cached_tokens = 80}, 1s, ai::money{}) ==
          "100 tokens in (80 cached), 5 out · 1.0 s");
    CHECK(repl::say_usage({.input_tokens = 100, .output_tokens = 5}, 1s, ai::dollars(0.0021)) == "100 tokens in, 5 out · 1.0 s · $0.0021");
}

TEST_CASE("the costs of a session add up by model") {
    repl::cost_ledger costs;
    CHECK(costs.report("2026-10-09") == "nothing was asked yet\n");
    costs.add("a", {.input_tokens = 10, .output_tokens = 1}, 1s, {});
    costs.add("a", {.input_tokens = 20, .output_tokens = 2}, 1s, {});
    CHECK(costs.report("2026-10-09") == "a: 2 questions, 30 tokens in, 3 out · 2.0 s\n");
    costs.add("b", {.input_tokens = 1, .output_tokens = 1}, 500ms, {});
    CHECK(costs.report("2026-10-09") ==
          "a: 2 questions, 30 tokens in, 3 out · 2.0 s\nb: 1 question, 1 tokens in, 1 out · 0.5 s\n"
          "together: 3 questions, 31 tokens in, 4 out · 2.5 s\n");
}

TEST_CASE("the costs of a session are shown with the date of the prices, and with the questions that have none") {
    repl::cost_ledger costs;
    costs.add("a", {.input_tokens = 10, .output_tokens = 1}, 1s, ai::dollars(0.5));
    costs.add("a", {.input_tokens = 10, .output_tokens = 1}, 1s, ai::dollars(0.25));
    CHECK(costs.report("2026-10-09") ==
          "a: 2 questions, 20 tokens in, 2 out · 2.0 s · $0.75\nby prices of 2026-10-09, which may have changed\n");
    costs.add("a", {.input_tokens = 10, .output_tokens = 1}, 1s, {});
    CHECK(costs.report("2026-10-09") ==
          "a: 3 questions, 30 tokens in, 3 out · 3.0 s · $0.75 for 2 of them\nby prices of 2026-10-09, which may have changed\n");
}
