#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/pyaichat.hpp>

#include <cstdio>

int main() {
    namespace ai = pyaichat;
    double health = 40;
    ai::agent medic{ai::gemini{{.api_key = ai::env("GEMINI_API_KEY")}},
                    {ai::capability("health", "Current health, 0 to 100.", [&] { return health; }),
                     ai::capability(
                         "heal", "Restore health.", [&](double points) { return health += points; }, ai::arg{"points", "how much"})},
                    {.instructions = "You are a field medic."}};
    ai::answer reply = medic.ask("I am hurt. Help me.").wait();
    std::puts(reply.text.c_str());  // always a text; reply.reason says how the run ended
}
