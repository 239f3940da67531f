/// A host that uses its own cpp-httplib, before, during and after a question to a model.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/testing/gemini_emulator.hpp>

#include "host_request.hpp"

#include <cstdio>
#include <string>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

int main() {
    fake::gemini_emulator service{fake::gemini_reply::calls({{"fc-1", "status", ai::json::object()}}, "c2lnbmF0dXJl"),
                                  fake::gemini_reply::text("The host is well.")};
    const int port = std::stoi(service.base_url().substr(service.base_url().rfind(':') + 1));
    constexpr int not_found = 404;  // of the emulator, for a path that is not of the API
    int inside = 0;
    const bool before = host_request(port) == not_found;
    ai::agent agent{ai::gemini{{.api_key = "test-key", .base_url = service.base_url()}},
                    {ai::capability("status", "How the host is.", [&] { return inside = host_request(port); })}};
    const ai::answer answer = agent.ask("How is the host?").wait();
    const bool after = host_request(port) == not_found;
    std::printf("%s\n", answer.text.c_str());
    return before && inside == not_found && after && answer.text == "The host is well." ? 0 : 1;
}
