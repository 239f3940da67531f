// The snippets of docs/guide/plugins.md, plugin-limits.md and hooks.md, and their Lua, step by step as a reader would do it.
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/lua/hooks.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

std::string content_of(const std::string& file) {
    std::ifstream in(std::string(PYAICHAT_PLUGINS) + "/../../" + file);
    return std::string((std::istreambuf_iterator<char>(in)), std::istreambuf_iterator<char>());
}

/// The Lua of a page: the blocks below `<!-- step: NAME -->`, or all of them.
std::vector<std::string> lua_in(const std::string& page, const std::string& step = "") {
    const std::string text = content_of(page);
    const std::string begin = (step.empty() ? "" : "<!-- step: " + step + " -->\n") + "```lua\n";
    std::vector<std::string> found;
    for (std::size_t at = text.find(begin); at != std::string::npos; at = text.find(begin, at + 1)) {
        const std::size_t start = at + begin.size();
        found.push_back(text.substr(start, text.find("```", start) - start));
    }
    return found;
}

struct empty_folder {
    empty_folder() { std::filesystem::create_directories(path); }
    empty_folder(const empty_folder&) = delete;
    empty_folder& operator=(const empty_folder&) = delete;
    ~empty_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    void write(const std::string& name, const std::string& text) {
        std::ofstream(path / name, std::ios::binary) << text;
        std::filesystem::last_write_time(path / name, std::filesystem::file_time_type() + std::chrono::hours(++writes));
    }
    std::filesystem::path path = std::filesystem::temp_directory_path() /
                                 ("pyaichat-guide-" + std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()));
    int writes = 0;
};

/// What the last call of a run was answered.
ai::capability_reply last_reply(const ai::answer& answer) {
    ai::capability_reply last;
    for (const ai::event& one : answer.events) {
        if (const auto* finished = one.as<ai::call_finished>()) {
            last = finished->reply;
        }
    }
    return last;
}

}  // namespace

TEST_CASE("guide: a plugin from an empty folder to an answered question") {
    empty_folder folder;
    const std::vector<std::string> steps = lua_in("docs/guide/plugins.md", "torch.lua");
    REQUIRE(steps.size() == 3);
    folder.write("torch.lua", steps[0]);
    const std::string path = folder.path.string();
    fake::scripted_provider model{fake::call("torch_left"),
                                  fake::say("42 minutes."),
                                  fake::call("torch_left", support::parsed(R"({"light":"high"})")),
                                  fake::say("30 minutes."),
                                  fake::call("burn_torch", support::parsed(R"({"minutes":50})")),
                                  fake::call("burn_torch", support::parsed(R"({"minutes":40})")),
                                  fake::say("It burns.")};

    // [load]
    ai::lua::plugins plugins({.reload_on_change = true});
    for (const ai::failure& problem : plugins.add_folder(path)) {
        std::fprintf(stderr, "%s\n%s\n", problem.message.c_str(), problem.hint.c_str());
    }
    ai::agent agent{model, {plugins}};
    // [/load]
    const ai::answer first = agent.ask("How long does the torch burn?").wait();
    CHECK(first.text == "42 minutes.");
    CHECK(last_reply(first).result == 42);

    folder.write("torch.lua", steps[1]);
    const ai::answer second = agent.ask("And at full light?").wait();
    CHECK(second.text == "30 minutes.");
    CHECK(ai::dump_json(last_reply(second).result) == R"({"light":"high","minutes":30})");

    folder.write("torch.lua", steps[2]);
    // [approve]
    agent.options().approval = [](const ai::proposed_call& call) {
        return call.name == "burn_torch" ? ai::call_decision::allow() : ai::call_decision{};
    };
    // [/approve]
    const ai::answer third = agent.ask("Light it.").wait();
    CHECK(third.text == "It burns.");
    CHECK(ai::dump_json(last_reply(third).result) == R"({"left":2})");
}

TEST_CASE("guide: limits and grants") {
    // [sandbox]
    ai::lua::plugins plugins(
        {.sandbox = {.memory = std::size_t{8} << 20, .time = 20ms, .run_on = ai::lua::run_on::worker},
         .notify = [](const ai::lua::notice& one) { std::fprintf(stderr, "%s: %s\n", one.plugin.c_str(), one.text.c_str()); }});
    // [/sandbox]
    CHECK(plugins.add_text("a.lua", "return { name = 'a', api = 1, hooks = { on_event = function() end } }"));

    // [grant]
    plugins.grant({"get_repr", "get_type"});
    // [/grant]
}

TEST_CASE("guide: hooks") {
    empty_folder folder;
    folder.write("no_deletes.lua", lua_in("docs/guide/hooks.md", "no_deletes.lua").at(0));
    const std::string path = folder.path.string();
    fake::scripted_provider model{fake::call("delete_save"), fake::say("I may not.")};
    int deleted = 0;

    // [hooks]
    ai::lua::plugins plugins;
    static_cast<void>(plugins.add_folder(path));
    ai::agent agent{model, {plugins, ai::capability("delete_save", "Delete the saved game.", [&] { ++deleted; })}};
    agent.options().hooks.push_back(ai::lua::hooks(plugins));
    // [/hooks]
    const ai::answer answer = agent.ask("Delete it.").wait();
    CHECK(deleted == 0);
    CHECK(answer.text == "I may not.");
}

TEST_CASE("guide: every step of plugins/README.md loads") {
    const std::vector<std::string> steps = lua_in("plugins/README.md");
    REQUIRE(steps.size() == 3);
    for (const std::string& step : steps) {
        ai::lua::plugins plugins({.sandbox = {.time = 20s}});
        const ai::result<void> added = plugins.add_text("doors.lua", step);
        INFO((added ? std::string() : added.error().message));
        CHECK(added);
    }
}
