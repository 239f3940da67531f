// A question whose answer is a struct, for docs/guide/typed_answers.md. A scripted model makes the output reproducible.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

// [types]
struct stop {
    std::string place;
    int minutes = 0;
};
struct plan {
    std::string title;
    std::vector<stop> stops;
    std::optional<std::string> warning;
};
// [/types]

}  // namespace

int main() {
    const auto wrong = ai::parse_json(R"({"title": "A walk", "stops": [{"place": "attic", "minutes": "five"}]})");
    const auto right =
        ai::parse_json(R"({"title": "A walk", "stops": [{"place": "hall", "minutes": 2}, {"place": "attic", "minutes": 5}]})");
    fake::scripted_provider model{fake::call("door", {{"id", "attic"}}), fake::give(*wrong), fake::give(*right)};
    // [ask]
    ai::agent guard{model,
                    {ai::capability("door", "Whether a door is open.", [](const std::string&) { return "open"; }, ai::arg{"id", "which"})}};
    const ai::typed_answer<plan> reply = guard.ask_for<plan>("Plan a walk through the house.").wait();
    if (!reply.value) {
        std::printf("no plan: %s\n", reply.value.error().message.c_str());
        return 1;
    }
    for (const stop& each : reply.value->stops) {
        std::printf("%s, %d minutes\n", each.place.c_str(), each.minutes);
    }
    // [/ask]
    std::printf("%d model calls; the second answer was asked for, because of the first:\n", reply.answer.steps);
    for (const ai::event& happened : reply.answer.events) {
        if (const auto* denied = happened.as<ai::call_denied>()) {
            std::printf("%s\n", denied->reply.message.c_str());
        }
    }
}
