#include <pyaichat/lua/hooks.hpp>

#include "lua_bench.hpp"

#include <future>

using namespace lua_bench;

namespace {

ai::proposed_call proposal(const std::string& name, ai::effects effects = ai::effects::once) {
    ai::proposed_call call{.number = 1, .name = name};
    call.arguments["id"] = "attic";
    call.arguments["list"] = ai::json::array();
    call.effects = effects;
    return call;
}

std::string hook_plugin(const std::string& name, const std::string& hook, const std::string& body) {
    return "return { name = '" + name + "', api = 1, hooks = { " + hook + " = function(a, b, c) " + body + " end } }";
}

/// Asks and waits, as a run does not.
struct asked_hooks : lua::hooks {
    using lua::hooks::hooks;

    ai::call_decision before_call(const ai::proposed_call& call) {
        return answer_to<ai::call_decision>([&](auto answer) { lua::hooks::before_call(call, std::move(answer)); });
    }
    void after_call(const ai::capability_call& call, ai::capability_reply& reply) {
        reply = answer_to<ai::capability_reply>([&](auto answer) { lua::hooks::after_call(call, reply, std::move(answer)); });
    }
    std::string on_answer(const ai::closing_answer& made) {
        return answer_to<std::string>([&](auto answer) { lua::hooks::on_answer(made, std::move(answer)); });
    }

private:
    template <class T, class Ask>
    static T answer_to(Ask ask) {
        std::promise<T> promised;
        std::future<T> answer = promised.get_future();
        ask(ai::hook_responder<T>([&](std::optional<T> given) { promised.set_value(given.value()); }));
        return answer.get();
    }
};

struct hook_bench : plugin_bench {
    using plugin_bench::plugin_bench;
    asked_hooks hooks{plugins};
};

}  // namespace

TEST_CASE("the hooks of plugins model run_hooks, and without plugins have no opinion") {
    static_assert(ai::run_hooks<lua::hooks>);
    hook_bench bench;
    CHECK(bench.hooks.before_call(proposal("open")) == ai::call_decision{});
    ai::capability_reply reply = ai::reply_with(1);
    bench.hooks.after_call({}, reply);
    CHECK(reply == ai::reply_with(1));
    CHECK(bench.hooks.on_answer({}).empty());
    bench.hooks.on_question("why?");
    bench.hooks.before_model({});
    bench.hooks.on_event({});
    CHECK(bench.told.empty());
}

TEST_CASE("before_call denies, asks, changes arguments, or says nothing") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "before_call", R"(
        if a.name == 'drop' then return { deny = 'nothing is dropped' } end
        if a.name == 'send' then return { ask = 'it leaves the house' } end
        if a.name == 'open' then a.args.force = true return { args = a.args } end
    )"));
    CHECK(bench.hooks.before_call(proposal("drop")) == ai::call_decision::deny("nothing is dropped"));
    CHECK(bench.hooks.before_call(proposal("send")) == ai::call_decision::ask("it leaves the house"));
    const ai::call_decision changed = bench.hooks.before_call(proposal("open"));
    CHECK(changed.what == ai::call_decision::kind::change);
    CHECK(ai::dump_json(changed.arguments) == R"({"force":true,"id":"attic","list":[]})");
    CHECK(bench.hooks.before_call(proposal("look")) == ai::call_decision{});
}

TEST_CASE("plugins are asked in load order: each sees the changes before it, and the first denial ends it") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "before_call", "if a.name ~= 'x' then return { args = { n = 1 } } end"));
    bench.add("b.lua", hook_plugin("b", "before_call", "if a.args.n == 1 then return { deny = 'b has seen ' .. a.args.n } end"));
    bench.add("c.lua", hook_plugin("c", "before_call", "ctx_seen = true return { deny = 'c' }"));
    CHECK(bench.hooks.before_call(proposal("open")) == ai::call_decision::deny("b has seen 1"));
    CHECK(bench.hooks.before_call(proposal("x")) == ai::call_decision::deny("c"));

    hook_bench asks;
    asks.add("a.lua", hook_plugin("a", "before_call", "return { ask = 'one' }"));
    asks.add("b.lua", hook_plugin("b", "before_call", "return { ask = 'two' }"));
    asks.add("c.lua", hook_plugin("c", "before_call", "return { args = { n = 1 } }"));
    const ai::call_decision both = asks.hooks.before_call(proposal("open"));
    CHECK(both.what == ai::call_decision::kind::ask);
    CHECK(both.reason == "one; two");
}

TEST_CASE("a before_call that fails denies, whatever way it fails") {
    for (const char* body : {"error('x')", "error(nil)", "while true do end", "return 1", "return {}", "return { deny = true }",
                             "return { allow = true }", "return { deny = 'a', ask = 'b' }", "return nil, 'text'", "coroutine.yield()",
                             "local t = {} while true do t[#t + 1] = {} end", "return function() end", "return { args = 1 }"}) {
        INFO(body);
        hook_bench bench({.time = 250ms, .hook_time = 100ms});
        bench.add("a.lua", hook_plugin("a", "before_call", body));
        bench.add("b.lua", hook_plugin("b", "before_call", "seen = true"));
        CHECK(bench.hooks.before_call(proposal("open")) ==
              ai::call_decision::deny("the plugin `a`, which checks calls, has failed; the call was not made"));
        CHECK(bench.told.size() >= 1);
    }
}

TEST_CASE("after_call changes a result or the text of an error, one plugin after the other") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "after_call", R"(
        if not b.ok then return (b.error.message:gsub('secret', '***')) end
        if type(b.result) == 'table' then b.result.text = b.result.text:gsub('secret', '***') return b.result end
        if b.result == 1 then return pyaichat.null end
    )"));
    bench.add("b.lua", hook_plugin("b", "after_call",
                                   "if b.ok and type(b.result) == 'table' then b.result.seen = b.result.text return b.result end"));
    ai::json result = ai::json::object();
    result["text"] = "the secret";
    result["list"] = ai::json::array();
    ai::capability_reply reply = ai::reply_with(result);
    bench.hooks.after_call({}, reply);
    CHECK(ai::dump_json(reply.result) == R"({"list":[],"seen":"the ***","text":"the ***"})");
    ai::capability_reply error = ai::reply_error(ai::reply_code::internal, "a secret");
    bench.hooks.after_call({}, error);
    CHECK(error.message == "a ***");
    CHECK(error.code == ai::reply_code::internal);
    ai::capability_reply one = ai::reply_with(1);
    bench.hooks.after_call({}, one);
    CHECK(one == ai::reply_with(nullptr));
    ai::capability_reply two = ai::reply_with(2);
    bench.hooks.after_call({}, two);
    CHECK(two == ai::reply_with(2));
}

TEST_CASE("any other hook that fails is reported and has no effect") {
    hook_bench bench({.time = 250ms, .hook_time = 50ms});
    for (const char* hook : {"on_question", "before_model", "after_call", "on_answer", "on_event"}) {
        bench.add(std::string(hook) + ".lua", hook_plugin(std::string(hook) + "_loop", hook, "while true do end"));
    }
    ai::capability_reply reply = ai::reply_with("as it was");
    bench.hooks.after_call({}, reply);
    CHECK(reply == ai::reply_with("as it was"));
    CHECK(bench.hooks.on_answer({.question = "q", .text = "t", .reason = ai::stop_reason::complete}).empty());
    bench.hooks.on_question("why?");
    bench.hooks.before_model({});
    bench.hooks.on_event({});
    CHECK(bench.count_of(lua::notice::kind::stopped) == 5);
    bench.hooks.on_event({});  // loaded afresh, and stopped again
    CHECK(bench.count_of(lua::notice::kind::stopped) == 6);
}

TEST_CASE("on_answer adds notes, and cannot replace the answer") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "on_answer", "return 'asked: ' .. a.question .. ', ended: ' .. a.reason"));
    bench.add("b.lua", hook_plugin("b", "on_answer", "return 42"));
    bench.add("c.lua", hook_plugin("c", "on_answer", "return '\\27[2Jwords: ' .. #a.text"));
    CHECK(bench.hooks.on_answer({.question = "why?", .text = "so", .reason = ai::stop_reason::complete}) ==
          "asked: why?, ended: complete\n[2Jwords: 2");
    CHECK(bench.texts(lua::notice::kind::failed).at(0) ==
          "b.lua:1: `on_answer`: it returned a number; return nothing or a string: a note below the answer");
}

TEST_CASE("the hooks that look are told questions, requests and events, and have ctx") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "on_question", "b.log('question ' .. a)"));
    bench.add("b.lua", hook_plugin("b", "before_model", "b.log(a.instructions .. '|' .. a.messages .. '|' .. a.text)"));
    bench.add("c.lua",
              hook_plugin("c", "on_event", "b.log(a.kind .. ' ' .. a.number .. ' ' .. tostring(a.name) .. ' ' .. tostring(a.text))"));
    bench.add("d.lua", hook_plugin("d", "on_question", "local v, why = b.call('x', {}) b.log(why)"));
    bench.hooks.on_question("why?");
    ai::model_request request;
    request.instructions = "Be brief.";
    request.messages.push_back(ai::user_message("why?"));
    bench.hooks.before_model(request);
    bench.hooks.on_event({.number = 3, .data = ai::call_started{.step = 1, .call = 1, .name = "open"}});
    bench.hooks.on_event({.number = 4, .data = ai::text_delta{.step = 1, .text = "so"}});
    CHECK(bench.texts(lua::notice::kind::log) ==
          std::vector<std::string>{"question why?", "ctx.call works only in the `run` of a capability, where the host allows it",
                                   "Be brief.|1|why?", "call_started 3 open nil", "text_delta 4 nil so"});
}

TEST_CASE("a wrong answer of a hook is told with the line of the hook and its kind") {
    hook_bench bench;
    bench.add("a.lua",
              "return { name = 'a', api = 1, hooks = {\n before_call = function()\n return { allow = true } end,\n"
              " after_call = function() return error end,\n on_answer = function() return 42 end } }");
    bench.hooks.before_call(proposal("open"));
    ai::capability_reply reply = ai::reply_with(1);
    bench.hooks.after_call({}, reply);
    bench.hooks.on_answer({});
    const std::vector<std::string> told = bench.texts(lua::notice::kind::failed);
    REQUIRE(told.size() == 3);
    CHECK(told[0].find("a.lua:2: `before_call`: it returned a table; return nothing, {deny = ") == 0);
    CHECK(told[1].find("a.lua:4: `after_call`: the result is a function") == 0);
    CHECK(told[2].find("a.lua:5: `on_answer`: it returned a number; ") == 0);

    hook_bench odd;
    odd.add("b.lua", "return { name = 'b', api = 1, hooks = { on_answer = rawlen } }");  // a function that stands in no line
    odd.hooks.on_answer({.text = "x"});
    REQUIRE(odd.texts(lua::notice::kind::failed).size() == 1);
    CHECK(odd.texts(lua::notice::kind::failed)[0].find("b.lua: `on_answer`: it returned a number; ") == 0);
}

TEST_CASE("what hooks log is bounded from one question to the next") {
    hook_bench bench;
    bench.add("a.lua", hook_plugin("a", "on_event", "b.log('x')"));
    for (int i = 0; i < 300; ++i) {
        bench.hooks.on_event({});
    }
    CHECK(bench.told.size() == 257);
    bench.hooks.on_question("why?");
    bench.hooks.on_event({});
    CHECK(bench.told.size() == 258);
}

TEST_CASE("on a worker, hooks decide as on the pumping thread") {
    lua::sandbox limits = patient();
    limits.run_on = lua::run_on::worker;
    lua::plugins plugins({.sandbox = limits});
    REQUIRE(plugins.add_text("a.lua", hook_plugin("a", "before_call", "return { deny = 'no' }")));
    REQUIRE(plugins.add_text("b.lua", hook_plugin("b", "on_question", "asked = a")));
    REQUIRE(plugins.add_text("c.lua", hook_plugin("c", "on_answer", "return 'noted'")));
    asked_hooks hooks(plugins);
    CHECK(hooks.before_call(proposal("open")) == ai::call_decision::deny("no"));
    hooks.on_question("why?");
    CHECK(hooks.on_answer({}) == "noted");
}

TEST_CASE("while a plugin is busy on the worker, nothing that a frame does waits for it") {
    lua::sandbox limits = patient();
    limits.run_on = lua::run_on::worker;
    std::promise<void> entered;
    std::promise<void> leave;
    std::shared_future<void> may_leave = leave.get_future().share();
    lua::plugins plugins({.sandbox = limits, .reload_on_change = true, .notify = [&](const lua::notice&) {
                              entered.set_value();
                              may_leave.wait();
                          }});
    REQUIRE(plugins.add_text("busy.lua", hook_plugin("busy", "on_question", "error('told to the host, which takes its time')")));
    REQUIRE(plugins.add_text("gate.lua", hook_plugin("gate", "before_call", "return { deny = 'no' }")));
    lua::hooks hooks(plugins);
    hooks.on_question("why?");
    entered.get_future().wait();

    // From here on the worker stands still.
    CHECK(plugins.specs()->empty());
    std::promise<ai::call_decision> decided;
    hooks.before_call(proposal("open"), ai::hook_responder<ai::call_decision>(
                                            [&](std::optional<ai::call_decision> said) { decided.set_value(said.value()); }));
    std::future<ai::call_decision> decision = decided.get_future();
    CHECK(decision.wait_for(0s) == std::future_status::timeout);
    hooks.on_event({});
    for (int i = 0; i < 3000; ++i) {
        hooks.on_question("and why?");  // most of them are left out
    }
    leave.set_value();
    CHECK(decision.get() == ai::call_decision::deny("no"));
}

TEST_CASE("hooks that are stopped again and again are switched off, and the calls that they check are denied") {
    hook_bench bench({.time = 20s, .hook_time = 20ms});
    bench.add("a.lua",
              "return { name = 'a', api = 1, hooks = { on_question = function() while true do end end, "
              "before_call = function() return { deny = 'asked' } end } }");
    for (int i = 0; i < 5; ++i) {
        bench.hooks.on_question("why?");
    }
    CHECK(bench.count_of(lua::notice::kind::stopped) == 4);  // three stops, and that it was the last one
    CHECK(bench.hooks.before_call(proposal("open")).reason.find("has failed") != std::string::npos);
    CHECK(bench.plugins.reload().empty());
    CHECK(bench.hooks.before_call(proposal("open")) == ai::call_decision::deny("asked"));
}
