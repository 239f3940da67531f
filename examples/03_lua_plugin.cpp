// Loads a folder of Lua plugins, lists their declarations, asks a question and reloads the plugins: `03_lua_plugin [FOLDER]`.
//
// The model is a stub that opens the cellar and reads the replies, so that the example does not need a network.
#include <pyaichat/lua/hooks.hpp>
#include <pyaichat/lua/plugins.hpp>
#include <pyaichat/pyaichat.hpp>

#include <cstdio>
#include <string>

namespace ai = pyaichat;

namespace {

struct burglar {
    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink&, const ai::cancel_token&) {
        ai::message content{.role = ai::role::model};
        const auto* reply = request.messages.back().parts.front().as<ai::response_part>();
        if (reply == nullptr || !ai::bool_member(reply->response, "ok").value_or(true)) {
            ai::call_part call{.name = "open_door"};
            call.arguments["id"] = "cellar";
            if (reply != nullptr) {  // "it is locked; set `force`"
                call.arguments["force"] = true;
            }
            content.parts.push_back(std::move(call));
        } else {
            content.parts.push_back(ai::text_part{.text = "The cellar is open."});
        }
        ai::model_response response;
        response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop});
        return response;
    }
};

void list(const ai::lua::plugins& plugins) {
    for (const ai::lua::plugin_info& plugin : plugins.describe()) {
        std::printf("%s %s (%s)\n", plugin.name.c_str(), plugin.version.c_str(), plugin.file.c_str());
        for (const ai::capability_spec& capability : plugin.capabilities) {
            std::printf("  %s [%s]: %s\n", capability.name.c_str(), std::string(to_string(capability.effects)).c_str(),
                        capability.description.c_str());
        }
        for (const std::string& hook : plugin.hooks) {
            std::printf("  hook %s\n", hook.c_str());
        }
    }
}

}  // namespace

int main(int argc, char** argv) {
    ai::lua::plugins plugins(
        {.notify = [](const ai::lua::notice& notice) { std::printf("(%s) %s\n", notice.plugin.c_str(), notice.text.c_str()); }});
    for (const ai::failure& problem : plugins.add_folder(argc > 1 ? argv[1] : "plugins/lua")) {
        std::fprintf(stderr, "%s\n  %s\n", problem.message.c_str(), problem.hint.c_str());
    }
    list(plugins);
    if (plugins.specs().value_or(ai::capability_list()).empty()) {
        return 1;
    }

    // Capabilities from files need approval unless they only read. This policy allows all calls.
    ai::agent agent{burglar{}, {plugins}, {.approval = ai::allow_all, .hooks = {ai::lua::hooks(plugins)}}};
    std::puts(agent.ask("Open the cellar.").wait().text.c_str());

    for (const ai::failure& problem : plugins.reload()) {
        std::fprintf(stderr, "%s\n  %s\n", problem.message.c_str(), problem.hint.c_str());
    }
    std::puts(agent.ask("Is it still open?").wait().text.c_str());
}
