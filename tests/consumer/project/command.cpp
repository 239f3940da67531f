// Runs a command without an agent.
#include <pyaichat/shell/shell.hpp>

#include <cstdio>
#include <future>

namespace ai = pyaichat;

int main() {
    ai::shell shell{{.approval = ai::shell_rules{.allow = {"echo"}}}};
    std::promise<ai::capability_reply> reply;
    shell.invoke({.name = "exec", .arguments = {{"command", "echo hello"}}},
                 ai::capability_responder([&](ai::capability_reply replied) { reply.set_value(std::move(replied)); }));
    const ai::json result = reply.get_future().get().envelope();
    std::puts(ai::dump_json(result).c_str());
    return result["result"]["output"] == "hello\n" ? 0 : 1;
}
