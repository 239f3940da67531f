#include <pyaichat/lua/hooks.hpp>

#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/runtime/inline_executor.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "lua_bench.hpp"
#include "plugin_folder.hpp"

using namespace lua_bench;

TEST_CASE("a reload takes the new version and keeps the state; a broken one keeps the old") {
    plugin_folder files;
    const auto version = [](const std::string& what) {
        return capability(
            "count", "ctx.state.n = (ctx.state.n or 0) + 1 ctx.state.list = ctx.state.list or pyaichat.array{} return { ctx.state.n, '" +
                         what + "', #ctx.state.list }");
    };
    files.write("count.lua", version("first"));
    plugin_bench bench;
    REQUIRE(bench.plugins.add_file(files.path("count.lua")));
    const auto counted = [&] { return ai::dump_json(bench.plugins.call("count", ai::json::object()).result); };
    CHECK(counted() == R"([1,"first",0])");

    files.write("count.lua", version("second"));
    CHECK(counted() == R"([2,"first",0])");
    CHECK(bench.plugins.reload_changed().empty());
    CHECK(counted() == R"([3,"second",0])");

    files.write("count.lua", "return { name = 'count_plugin',, }");
    const std::vector<ai::failure> problems = bench.plugins.reload_changed();
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message.find(files.path("count.lua") + ":1: ") == 0);
    CHECK(counted() == R"([4,"second",0])");
    CHECK(bench.plugins.describe()[0].problem.has_value());
    CHECK(bench.plugins.reload_changed().empty());  // told once

    files.write("count.lua", version("third"));
    CHECK(bench.plugins.reload().empty());
    CHECK(counted() == R"([5,"third",0])");
    CHECK_FALSE(bench.plugins.describe()[0].problem.has_value());

    files.remove("count.lua");
    CHECK(bench.plugins.reload().size() == 1);
    CHECK(counted() == R"([6,"third",0])");
}

TEST_CASE("state that is no data keeps the old version, which has it") {
    plugin_bench bench;
    bench.add("a.lua", capability("a", "ctx.state.f = function() end ctx.state.n = (ctx.state.n or 0) + 1 return ctx.state.n"));
    CHECK(bench.plugins.call("a", ai::json::object()).result == 1);
    REQUIRE(bench.plugins.reload().size() == 1);
    CHECK(bench.plugins.describe()[0].problem->message.find("ctx.state.f is a function") != std::string::npos);
    CHECK(bench.plugins.call("a", ai::json::object()).result == 2);
}

TEST_CASE("a folder is loaded by name, and looked through again on reload") {
    plugin_folder files;
    files.write("b.lua", capability("b", "return 'b'"));
    files.write("a.lua", capability("a", "return 'a'"));
    files.write("broken.lua", "return {");
    files.write("notes.txt", "no plugin");
    plugin_bench bench(patient(), true);
    const std::vector<ai::failure> problems = bench.plugins.add_folder(files.path());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message.find("broken.lua:1:") != std::string::npos);
    REQUIRE(bench.plugins.specs()->size() == 2);
    CHECK(bench.plugins.specs().value()[0].name == "a");

    files.write("c.lua", capability("c", "return 'c'"));
    files.write("b.lua", capability("b2", "return 'b2'"));
    files.remove("a.lua");
    const ai::capability_list now = *bench.plugins.specs();  // reload_on_change
    REQUIRE(now.size() == 2);
    CHECK(now[0].name == "b2");
    CHECK(now[1].name == "c");
    CHECK(bench.plugins.call("b2", ai::json::object()).result == "b2");
    CHECK(bench.plugins.call("a", ai::json::object()).code == ai::reply_code::unknown_function);
    CHECK(bench.plugins.add_folder(files.path("nowhere")).at(0).code == ai::errc::not_found);
    CHECK(bench.plugins.add_file(files.path("nowhere.lua")).error().code == ai::errc::not_found);
}

TEST_CASE("a file that is broken from the start is tried again when it has changed, and by a full reload") {
    plugin_folder files;
    files.write("lamp.lua", "return {");
    files.write("other.lua", capability("other", "return 1"));
    plugin_bench bench(patient(), true);
    REQUIRE(bench.plugins.add_folder(files.path()).size() == 1);
    CHECK(bench.count_of(lua::notice::kind::broken) == 1);
    CHECK(bench.plugins.specs()->size() == 1);
    CHECK(bench.plugins.specs()->size() == 1);
    CHECK(bench.count_of(lua::notice::kind::broken) == 1);
    const std::vector<ai::failure> known = bench.plugins.reload_changed();
    REQUIRE(known.size() == 1);
    CHECK(known[0].message.find("lamp.lua:1:") != std::string::npos);
    CHECK(bench.count_of(lua::notice::kind::broken) == 1);
    CHECK(bench.plugins.reload().size() == 1);
    CHECK(bench.count_of(lua::notice::kind::broken) == 2);

    files.write("lamp.lua", capability("lamp", "return 'burns'"));
    CHECK(bench.plugins.specs()->size() == 2);
    CHECK(bench.plugins.reload_changed().empty());
}

TEST_CASE("what was approved of a file that changes then is not run, and the model is told") {
    namespace fake = ai::testing;
    plugin_folder files;
    files.write("lamp.lua", capability("lamp", "return 'approved'"));
    plugin_bench bench(patient(), true);
    REQUIRE(bench.plugins.add_file(files.path("lamp.lua")));
    ai::agent_options options;
    options.approval = [&](const ai::proposed_call&) {
        files.write("lamp.lua", capability("lamp", "return 'changed'"));
        return ai::call_decision::allow();
    };
    ai::basic_agent agent{fake::scripted_provider{fake::call("lamp"), fake::call("lamp"), fake::say("Done.")},
                          ai::any_capabilities{bench.plugins}, std::move(options), ai::steady_clock{}, ai::inline_executor{}};
    std::vector<std::string> replies;
    const ai::answer reply =
        agent.ask("?", ai::on{[&](const ai::call_finished& one) { replies.push_back(ai::dump_json(one.reply.envelope())); }}).wait();
    CHECK(reply.reason == ai::stop_reason::complete);
    REQUIRE(replies.size() == 2);
    CHECK(replies[0].find("it has changed since") != std::string::npos);
    CHECK(replies[1] == R"({"ok":true,"result":"changed"})");
}

TEST_CASE("a file that clashed with another is taken when the other one is gone") {
    plugin_folder files;
    files.write("a.lua", capability("lamp", "return 'a'"));
    files.write("b.lua", capability("lamp", "return 'b'"));
    plugin_bench bench(patient(), true);
    CHECK(bench.plugins.add_folder(files.path()).size() == 1);
    CHECK(bench.plugins.specs()->size() == 1);
    CHECK(bench.count_of(lua::notice::kind::broken) == 1);  // told once
    files.remove("a.lua");
    CHECK(bench.plugins.specs()->size() == 1);
    CHECK(bench.plugins.call("lamp", ai::json::object()).result == "b");
}

TEST_CASE("a plugin that was stopped runs from its file again when that was repaired meanwhile") {
    plugin_folder files;
    const auto version = [](const std::string& asked, const std::string& run) {
        return "return { name = 'a', api = 1, hooks = { on_question = function(q, ctx) " + asked +
               " end, before_call = function() return { deny = 'asked' } end }, capabilities = { { name = 'go', description = 'x', "
               "effects = 'read', run = function() " +
               run + " end } } }";
    };
    files.write("a.lua", version("while true do end", "while true do end"));
    plugin_bench bench({.time = 250ms, .hook_time = 20ms}, true);
    REQUIRE(bench.plugins.add_file(files.path("a.lua")));
    CHECK_FALSE(bench.plugins.call("go", ai::json::object()).ok());
    lua::hooks hooks(bench.plugins);
    for (int i = 0; i < 4; ++i) {
        hooks.on_question("why?");
    }
    CHECK(bench.count_of(lua::notice::kind::stopped) == 5);  // three of the hook, and that it was the last one

    files.write("a.lua", version("ctx.log('heard')", "return 'mended'"));
    hooks.on_question("why?");  // looks at the files first
    CHECK(bench.texts(lua::notice::kind::log) == std::vector<std::string>{"heard"});
    ai::call_decision decided;
    hooks.before_call({}, ai::hook_responder<ai::call_decision>(
                              [&](std::optional<ai::call_decision> said) { decided = said.value_or(ai::call_decision()); }));
    CHECK(decided == ai::call_decision::deny("asked"));
    CHECK(bench.plugins.call("go", ai::json::object()).result == "mended");
}

TEST_CASE("a file name with control characters is written in a way that shows them") {
    plugin_folder files;
    files.write("a\nb\x1b.lua", "return {");
    plugin_bench bench;
    const std::vector<ai::failure> problems = bench.plugins.add_folder(files.path());
    REQUIRE(problems.size() == 1);
    CHECK(problems[0].message.find("a\\x0ab\\x1b.lua:1: ") != std::string::npos);
    CHECK(bench.plugins.add_file(files.path("no\nwhere.lua")).error().message.find("no\\x0awhere.lua: ") != std::string::npos);
    files.write("a\nb\x1b.lua", capability("lamp", "return 1"));
    CHECK(bench.plugins.reload_changed().empty());
    CHECK(bench.plugins.describe().at(0).file.find("a\\x0ab\\x1b.lua") != std::string::npos);
}
