#include "assistant/wait_status.hpp"

#include "catch.hpp"

using namespace std::chrono_literals;
namespace ai = pyaichat;

TEST_CASE("a wait is shown with the model, the step and the seconds, but not a short one") {
    const repl::wait_status::time_point begun{};
    repl::wait_status status("gemini-3.8-flash", 6, begun);
    status.see({.data = ai::step_started{.step = 2}}, begun + 1s);
    CHECK(status.line(begun + 1100ms).empty());
    CHECK(status.line(begun + 1490ms) == "· asking gemini-3.8-flash · step 2 of 6 · 1.4 s");
    CHECK(status.line(begun + 1590ms) == status.line(begun + 1490ms));  // it changes five times a second
    CHECK(status.line(begun + 1610ms) != status.line(begun + 1490ms));
}

TEST_CASE("a call that takes long is named instead of the model") {
    const repl::wait_status::time_point begun{};
    repl::wait_status status("m", 6, begun);
    status.see({.data = ai::step_started{.step = 1}}, begun);
    ai::json arguments = ai::json::object({{"expr", "df\x1b[31m"}});
    status.see({.data = ai::call_started{.step = 1, .call = 1, .name = "get_repr", .arguments = arguments}}, begun);
    CHECK(status.line(begun + 2s) == "· running get_repr(df[31m) · step 1 of 6 · 2.0 s");
    status.see({.data = ai::call_finished{.step = 1, .call = 1, .name = "get_repr", .arguments = arguments}}, begun + 2s);
    CHECK(status.line(begun + 3s) == "· asking m · step 1 of 6 · 3.0 s");
}
