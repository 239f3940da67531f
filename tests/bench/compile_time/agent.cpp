// What a host's file costs that builds an agent and asks it.
#include <pyaichat/agent/basic_agent.hpp>

namespace ai = pyaichat;

std::string ask(ai::any_provider model, std::string question) {
    ai::agent someone{std::move(model)};
    return someone.ask(std::move(question)).wait().text;
}
