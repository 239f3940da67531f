// Prints the answer of a run that ends at a limit, for docs/guide/limits.md.
#include <pyaichat/pyaichat.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <cstdio>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

int main() {
    const auto door = [](const char* id) { return fake::calls({{.name = "door", .arguments = {{"id", id}}}}, "I look at every door."); };
    fake::scripted_provider model{door("attic"), door("cellar"), door("barn"), fake::say("All of them are locked.")};
    const auto locked = [](const std::string&) { return "locked"; };
    // [limits]
    ai::agent agent{model,
                    {ai::capability("door", "Whether a door is open.", locked, ai::arg{"id", "which door"})},
                    {.limits = {.max_steps = 3, .total_timeout = std::chrono::seconds(30)}}};
    const ai::answer reply = agent.ask("Which doors are open?").wait();
    if (reply.degraded()) {
        std::printf("not complete (%s), after %d steps:\n", std::string(ai::to_string(reply.reason)).c_str(), reply.steps);
    }
    std::printf("%s\n", reply.text.c_str());
    // [/limits]
}
