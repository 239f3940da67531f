#include <pyaichat/lua/plugins.hpp>

#include "lua_bench.hpp"
#include "parsed.hpp"

#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <thread>

using namespace lua_bench;

namespace {

const char* const doors = R"lua(
local doors = { cellar = "locked", attic = "closed" }
return {
    name = "doors", api = 1, version = "1.0",
    capabilities = {
        { name = "open_door", description = "Open one door. Locked doors need force.", effects = "idempotent",
          parameters = { type = "object", required = { "id" },
                         properties = { id = { type = "string", enum = { "cellar", "attic" } }, force = { type = "boolean" } } },
          run = function(args, ctx)
              local state = doors[args.id]
              if state == "locked" and not args.force then return nil, "it is locked; set `force`" end
              doors[args.id] = "open"
              return { opened = true, was = state }
          end },
    },
}
)lua";

}  // namespace

TEST_CASE("a plugin declares its capabilities as a source that nobody vouches for") {
    static_assert(ai::capability_source<lua::plugins>);
    plugin_bench bench;
    bench.add("doors.lua", doors);
    const ai::capability_list declared = *bench.plugins.specs();
    REQUIRE(declared.size() == 1);
    const ai::capability_spec& spec = declared[0];
    CHECK(spec.name == "open_door");
    CHECK(spec.description == "Open one door. Locked doors need force.");
    CHECK(spec.effects == ai::effects::idempotent);
    CHECK(spec.from == ai::provenance::file);
    CHECK(spec.origin == "doors.lua");
    CHECK(
        ai::dump_json(spec.parameters) ==
        R"({"properties":{"force":{"type":"boolean"},"id":{"enum":["cellar","attic"],"type":"string"}},"required":["id"],"type":"object"})");
    const std::vector<lua::plugin_info> known = bench.plugins.describe();
    REQUIRE(known.size() == 1);
    CHECK(known[0].name == "doors");
    CHECK(known[0].version == "1.0");
    CHECK(known[0].memory > 0);
    CHECK(known[0].memory < 100 * 1024);
}

TEST_CASE("a capability gives a result, a refusal for the model, or an error for the operator") {
    plugin_bench bench;
    bench.add("doors.lua", doors);
    CHECK(ai::dump_json(bench.plugins.call("open_door", support::parsed(R"({"id":"attic"})")).result) ==
          R"({"opened":true,"was":"closed"})");
    const ai::capability_reply refused = bench.plugins.call("open_door", support::parsed(R"({"id":"cellar"})"));
    CHECK(refused.code == ai::reply_code::plugin_error);
    CHECK(refused.message == "it is locked; set `force`");
    CHECK(bench.plugins.call("open_door", support::parsed(R"({"id":"cellar","force":true})")).ok());
    CHECK(bench.told.empty());

    const ai::capability_reply failed = bench.run("error('the secret of the house')");
    CHECK(failed.code == ai::reply_code::plugin_error);
    CHECK(failed.message == "`t1` failed with an internal error, which was reported to the operator; continue without it");
    REQUIRE(bench.count_of(lua::notice::kind::failed) == 1);
    CHECK(bench.told[0].plugin == "t1_plugin");
    CHECK(bench.told[0].text == "t1.lua:2: `t1`: the secret of the house");
    CHECK_FALSE(bench.run("return nil + 1").ok());
    CHECK(bench.told[1].text.find("t2.lua:2: `t2`: attempt to perform arithmetic on a nil value") == 0);
    CHECK_FALSE(bench.run("error(nil)").ok());
    CHECK(bench.told[2].text.find("the error is not a string, but a nil") != std::string::npos);
    CHECK_FALSE(bench.run("error({})").ok());
    CHECK_FALSE(bench.run("coroutine.yield(1)").ok());
    CHECK(bench.told[4].text.find("yielded") != std::string::npos);
    CHECK(bench.run("return nil").result.is_null());
    CHECK(bench.run("").result.is_null());
    CHECK(bench.run("return false, 'not a refusal'").result == false);
}

TEST_CASE("arguments are checked against the declaration before the function runs") {
    plugin_bench bench;
    bench.add("doors.lua", doors);
    const ai::capability_reply missing = bench.plugins.call("open_door", ai::json::object());
    CHECK(missing.code == ai::reply_code::invalid_args);
    REQUIRE(missing.details.is_array());
    CHECK(missing.details[0]["keyword"] == "required");
    CHECK(bench.plugins.call("open_door", support::parsed(R"({"id":"roof"})")).code == ai::reply_code::invalid_args);
    CHECK(bench.plugins.call("open_door", support::parsed(R"({"id":"attic","force":1})")).code == ai::reply_code::invalid_args);
    CHECK(bench.plugins.call("close_door", ai::json::object()).code == ai::reply_code::unknown_function);
}

TEST_CASE("ten mistakes are told with file, line and the change to make") {
    struct mistake {
        const char* text;
        const char* where;
        const char* what;
        const char* change;
    };
    const mistake mistakes[] = {
        {"return {\n  name = 'a'\n  api = 1,\n}", "a.lua:3: ", "'}' expected", "Put a comma between the fields: before 'api'"},
        {"return {\n  name = 'a', api = 1,\n  capabilities = 'open',\n}", "a.lua:3: ", "`capabilities` is a string",
         "Make it a list of tables"},
        {"return {\n  name = 'a', api = 1,\n  capabilities = { { name = 'x', description = 'x', run = function() end,\n  colour = 'red' } "
         "},\n}",
         "a.lua:4: ", "unknown field `colour`", "the fields here are `name`"},
        {"return {\n  name = 'a', api = 1,\n  -- what it can do\n  capabilites = {},\n}", "a.lua:4: ", "unknown field `capabilites`",
         "Rename it to `capabilities`."},
        {"local function f() return {} end\nreturn { name = 'a', api = 1, capabilities = {\n  { name = 'x', description = 'x', run = f },\n"
         "  { name = 'x', description = 'x', run = f } } }",
         "a.lua:4: ", "already declared in line 3", "Give one of them another name."},
        {"return { name = 'a', api = 1, capabilities = { { name = 'x', description = 'x', run = function() end,\n"
         "  parameters = { type = 'object',\n    properties = { id = { type = 'sting' } } } } } }",
         "a.lua:3: ", "`parameters`", "Fix the schema"},
        {"local t = {\n  name = 'a',\n}\n", "a.lua:3: ", "the file returns nothing", "End it with `return {"},
        {"local t = nil\nlocal x = t.y\nreturn {}", "a.lua:2: ", "attempt to index a nil value", "Fix this line"},
        {"local n = 0\nwhile true do\n  n = n + 1\nend", "a.lua:", "loading ", "End the loop"},
        {"return {\n  name = 'a',\n  api = 2,\n}", "a.lua:3: ", "this `api` is not known", "Write `api = 1`."},
        // and more
        {"return {\n  api = 1 }", "a.lua:1: ", "`name` is missing", "lowercase letters"},
        {"return { name = 'Doors', api = 1 }", "a.lua:1: ", "`name` is `Doors`", "lowercase letters"},
        {"return {\n  name = 'a' }", "a.lua:1: ", "`api` is missing", "Write `api = 1`."},
        {"return 'a'", "a.lua:1: ", "the file returns a string", "End it with"},
        {"return { name = 'a', api = 1 }", "a.lua:1: ", "neither capabilities nor hooks", "Add `capabilities"},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x', description = '', run = function() end } } }",
         "a.lua:2: ", "no description", "Describe in a sentence"},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x', description = 'x' } } }", "a.lua:2: ", "`x` has no `run`",
         "Write `run = "},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x', description = 'x\\27[2J', run = print } } }",
         "a.lua:2: ", "control characters", "one line of plain text"},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x', description = 'x\xE2\x80\xAEy', run = print } } }",
         "a.lua:2: ", "invisible", "one line of plain text"},
        {"return { name = 'a', api = 1,\n version = 'v\xE2\x80\x8Bx', hooks = { on_event = function() end } }", "a.lua:2: ", "invisible",
         "one line of plain text"},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x\\255', description = 'x', run = print } } }",
         "a.lua:2: ", "not UTF-8", "one line of plain text"},
        {"return { name = 'a', api = 1, capabilities = {\n { name = 'x', description = 'x',\n effects = 'reads', run = function() end } } "
         "}",
         "a.lua:3: ", "`effects` is `reads`", "Write \"read\""},
        {"return { name = 'a', api = 1, hooks = {\n before_cal = function() end } }", "a.lua:2: ", "unknown field `before_cal`",
         "Rename it to `before_call`."},
        {"return { name = 'a', api = 1, capabilities = { { name = 'x', description = 'x', run = function() end,\n"
         "  parameters = { type = 'array' } } } }",
         "a.lua:2: ", "not the schema of an object", "type = \"object\""},
        {"local m = {\n  name = 'a',\n  api = '1',\n}\nreturn m", "a.lua:3: ", "this `api` is not known", "Write `api = 1`."},
        {"return { name = 'a', api = 1, uses = 'get_repr', hooks = { on_event = function() end } }", "a.lua:1: ", "`uses` is not a list",
         "uses = { \"get_repr\" }"},
        {"return { name = 'a', api = 1, capabilities = {\n  open = { name = 'x' } } }", "a.lua:2: ", "`capabilities` is not a list",
         "list of tables"},
        {"return { name = 'a', api = 1, capabilities = { { name = 'x', description = 'x', timeout = -1, run = function() end } } }",
         "a.lua:1: ", "`timeout`", "timeout = 5"},
        {"if true then\nreturn {", "a.lua:2: ", "near <eof>", "not closed"},
        {"local c = { name = 'x', description = 'x', run = function() end }\nreturn { name = 'a', api = 1,\n capabilities = { [1] = c, [3] "
         "= c "
         "} }",
         "a.lua:3: ", "a list with holes", "without gaps"},
        {"return { name = 'a', api = 1,\n uses = { 'A b' }, hooks = { on_event = function() end } }",
         "a.lua:2: ", "is not a valid capability name", "uses = { \"get_repr\" }"},
        {"return { name = 'a', api = 1,\n uses = { 'x', 'x' }, hooks = { on_event = function() end } }", "a.lua:2: ", "names `x` twice",
         "Name it once."},
    };
    for (const mistake& one : mistakes) {
        lua::plugins plugins({.sandbox = {.time = 250ms}});
        const ai::result<void> added = plugins.add_text("a.lua", one.text);
        REQUIRE_FALSE(added);
        INFO(one.text << "\n" << added.error().message << "\n" << added.error().hint);
        CHECK(added.error().message.find(one.where) == 0);
        CHECK(added.error().message.find(one.what) != std::string::npos);
        CHECK(added.error().hint.find(one.change) != std::string::npos);
    }
}

TEST_CASE("the schemas of a file are bounded together") {
    const std::string many = R"lua(
        local p = {} for i = 1, 150 do p['k' .. i] = { type = 'string' } end
        local c = {}
        for i = 1, 64 do c[i] = { name = 't' .. i, description = 'x', parameters = { type = 'object', properties = p }, run = function() end } end
        return { name = 'a', api = 1, capabilities = c })lua";
    lua::plugins plugins({.sandbox = patient()});
    const ai::result<void> added = plugins.add_text("a.lua", many);
    REQUIRE_FALSE(added);
    CHECK(added.error().hint.find("simpler schemas") != std::string::npos);
}

TEST_CASE("a refusal that is no text is an error of the plugin's, not a success") {
    plugin_bench bench;
    CHECK(bench.run("return nil, 404").code == ai::reply_code::plugin_error);
    CHECK(bench.told.back().text.find("make it a string") != std::string::npos);
    CHECK(bench.run("return nil, nil").ok());
    const ai::capability_reply empty = bench.run("return nil, ' '");
    CHECK(empty.code == ai::reply_code::plugin_error);
    CHECK(empty.message.find("failed with an internal error") != std::string::npos);
    CHECK(bench.told.back().text.find("t3.lua:2: `t3`: the message of `return nil, \"\"` is empty") == 0);
    CHECK_FALSE(bench.run("error('')").ok());
    CHECK(bench.told.back().text.find("the error has no message") != std::string::npos);
    CHECK_FALSE(bench.run("\n\nreturn print or error").ok());
    CHECK(bench.told.back().text.find("t5.lua:2: `t5`: the result is a function") == 0);
}

TEST_CASE("a plugin that goes on calling after the limit of calls is ended") {
    plugin_bench bench;
    bench.add("deaf.lua", R"lua(return { name = 'deaf', api = 1, uses = { 'look' }, capabilities = { { name = 'go', description = 'x',
        run = function(args, ctx) while true do ctx.call('look', {}) end end } } })lua");
    bench.plugins.grant({"look"});
    int asked = 0;
    const ai::nested_caller others = [&](std::string, ai::json, ai::capability_responder answer) {
        ++asked;
        answer(ai::reply_error(ai::reply_code::limit, "used up"));
    };
    const ai::capability_reply reply = bench.plugins.call("go", ai::json::object(), others);
    CHECK(reply.code == ai::reply_code::plugin_error);
    CHECK(asked == 16);
    CHECK(bench.plugins.call("go", ai::json::object(), others).code == ai::reply_code::plugin_error);
}

TEST_CASE("clashes of names say whose they are") {
    plugin_bench bench;
    bench.add("doors.lua", doors);
    const ai::result<void> same_plugin = bench.plugins.add_text("gates.lua", capability("doors", "return 1"));
    CHECK(same_plugin);
    const ai::result<void> plugin =
        bench.plugins.add_text("gates.lua", "return {\n  name = 'doors', api = 1, hooks = { on_event = function() end } }");
    REQUIRE_FALSE(plugin);
    CHECK(plugin.error().code == ai::errc::name_clash);
    CHECK(plugin.error().message == "gates.lua:2: the plugin name `doors` is already used by doors.lua");
    const ai::result<void> named = bench.plugins.add_text("gates.lua", capability("open_door", "return 1"));
    REQUIRE_FALSE(named);
    CHECK(named.error().code == ai::errc::name_clash);
    CHECK(named.error().message == "gates.lua:2: the capability name `open_door` is already used by doors.lua");
}

TEST_CASE("empty tables are what the declarations say, and values survive the way in and out") {
    plugin_bench bench;
    CHECK(ai::dump_json(bench.value_of("{}")) == "{}");
    CHECK(ai::dump_json(bench.value_of("pyaichat.array{}")) == "[]");
    CHECK(ai::dump_json(bench.value_of("{ a = pyaichat.array(), b = pyaichat.null }")) == R"({"a":[],"b":null})");
    bench.add("r.lua", capability("listing", "return { items = {}, more = { {} } }", "",
                                  "returns = { type = 'object', properties = { items = { type = 'array' },"
                                  " more = { type = 'array', items = { type = 'array' } } } },"));
    CHECK(ai::dump_json(bench.plugins.call("listing", ai::json::object()).result) == R"({"items":[],"more":[[]]})");

    bench.add("echo.lua", capability("echo", "return args"));
    const char* const value = R"({"a":[],"b":{},"c":null,"d":[1,null,"x"],"e":1.5,"f":true,"g":{"h":[[]]}})";
    CHECK(ai::dump_json(bench.plugins.call("echo", support::parsed(value)).result) == value);
    CHECK(ai::dump_json(bench.plugins.call("echo", support::parsed(R"({"n":3.0})")).result) == R"({"n":3})");
}

TEST_CASE("a plugin has a log, whose text is safe to show") {
    plugin_bench bench;
    CHECK(bench.run("ctx.log('one\\n\\27[31mtwo\\194\\155 three') ctx.log(42) ctx.log({}) return 1").ok());
    REQUIRE(bench.count_of(lua::notice::kind::log) == 3);
    CHECK(bench.texts(lua::notice::kind::log)[0] == "one [31mtwo three");
    CHECK(bench.texts(lua::notice::kind::log)[1] == "42");
    CHECK(bench.texts(lua::notice::kind::log)[2] == "table");
    bench.told.clear();
    CHECK(bench.run("for i = 1, 1000 do ctx.log('line ' .. i) end return 1").ok());
    CHECK(bench.told.size() == 65);
    CHECK(bench.told.back().text == "(further lines were dropped)");
}

TEST_CASE("what a plugin logs is bounded in a call with others in between, and in a run") {
    plugin_bench bench;
    bench.add("a.lua", R"lua(return { name = 'a', api = 1, uses = { 'look' }, capabilities = {
        { name = 'one', description = 'x', run = function(args, ctx) ctx.log('x') return 1 end },
        { name = 'many', description = 'x', run = function(args, ctx)
            for i = 1, 10 do for n = 1, 20 do ctx.log('x') end ctx.call('look', {}) end end } } })lua");
    bench.plugins.grant({"look"});
    const ai::nested_caller others = [](std::string, ai::json, ai::capability_responder answer) { answer(ai::reply_with(1)); };
    CHECK(bench.plugins.call("many", ai::json::object(), others).ok());
    CHECK(bench.told.size() == 65);

    bench.told.clear();
    const auto ask = [&](const std::string& run) {
        ai::capability_call call;
        call.run_id = run;
        call.name = "one";
        bool answered = false;
        bench.plugins.invoke(call, ai::capability_responder([&](const ai::capability_reply& reply) { answered = reply.ok(); }));
        REQUIRE(answered);
    };
    for (int i = 0; i < 1000; ++i) {
        ask("first");
        if (i % 100 == 0) {
            ask("second");
        }
    }
    CHECK(bench.told.size() == 256 + 1 + 10);
    CHECK(bench.told.back().text == "x");  // of the second run
    CHECK(std::count_if(bench.told.begin(), bench.told.end(), [](const lua::notice& one) { return one.text != "x"; }) == 1);
}

TEST_CASE("functions of ctx that are called with a colon say so") {
    plugin_bench bench;
    for (const char* body : {"ctx:log('x')", "ctx:deadline()", "ctx:call('look', {})"}) {
        bench.told.clear();
        CHECK_FALSE(bench.run(body).ok());
        REQUIRE(bench.told.size() == 1);
        CHECK(bench.told[0].text.find("use ctx.") != std::string::npos);
        CHECK(bench.told[0].text.find(", with a dot") != std::string::npos);
    }
}

TEST_CASE("arguments that are too much for a plugin are the model's to change") {
    plugin_bench bench;
    ai::json deep = ai::json::object();
    for (int i = 0; i < 40; ++i) {
        ai::json outer = ai::json::object();
        outer["in"] = std::move(deep);
        deep = std::move(outer);
    }
    const ai::capability_reply reply = bench.run("return 1", deep);
    CHECK(reply.code == ai::reply_code::invalid_args);
    CHECK(reply.message.find("at most 32 levels") != std::string::npos);
    CHECK(bench.told.empty());
}

TEST_CASE("a plugin is told how long it may go on") {
    plugin_bench bench({.time = 20s});
    const ai::capability_reply left = bench.run("return ctx.deadline()");
    REQUIRE(left.ok());
    CHECK(*ai::as_number(left.result) > 1);
    CHECK(*ai::as_number(left.result) <= 20);
}

TEST_CASE("the host says what ctx has") {
    plugin_bench bench({.time = 20s, .log = false, .state = false, .deadline = false, .call = false});
    CHECK(bench.run("return { ctx.log == nil, ctx.state == nil, ctx.deadline == nil, ctx.call == nil }").result ==
          support::parsed("[true, true, true, true]"));
}

namespace {

const char* const caller = R"lua(
return { name = 'caller', api = 1, uses = { 'look', 'again' }, capabilities = {
    { name = 'go', description = 'x', run = function(args, ctx)
        local value, why = ctx.call('look', { n = args.n })
        return { value = value, why = why }
    end },
    { name = 'nested', description = 'x', run = function(args, ctx)
        local co = coroutine.wrap(function() local a = ctx.call('look', {}) coroutine.yield(a) return ctx.call('look', {}) end)
        local ok, last = pcall(function() return { co(), co() } end)
        return ok and last or nil, last
    end },
    { name = 'again', description = 'x', run = function(args, ctx)
        local value, why = ctx.call('again', {})
        return value or why
    end },
    { name = 'stray', description = 'x', run = function(args, ctx)
        local value, why = ctx.call('open_door', {})
        return why
    end },
    { name = 'in_sort', description = 'x', run = function(args, ctx)
        table.sort({ 1, 2 }, function() ctx.call('look', {}) end)
    end },
    { name = 'slow', description = 'x', run = function(args, ctx)
        ctx.call('look', {})
        while true do end
    end },
} }
)lua";

}  // namespace

TEST_CASE("a plugin calls what its manifest asks for and the host allows") {
    plugin_bench bench;
    bench.add("caller.lua", caller);
    CHECK(bench.plugins.call("go", ai::json::object()).result["why"] == "the host does not let plugins call `look`");

    bench.plugins.grant({"look"});
    std::vector<std::string> made;
    const ai::nested_caller others = [&](std::string name, ai::json arguments, ai::capability_responder answer) {
        made.push_back(name);
        answer(ai::reply_with(std::move(arguments)));
    };
    CHECK(ai::dump_json(bench.plugins.call("go", support::parsed(R"({"n":7})"), others).result) == R"({"value":{"n":7}})");
    CHECK(made == std::vector<std::string>{"look"});
    CHECK(bench.plugins.call("go", ai::json::object()).result["why"] == "calls are nested too deep, or this call does not belong to a run");
    CHECK(bench.plugins.call("stray", ai::json::object()).result == "add \"open_door\" to `uses` of the plugin");
    CHECK(bench.plugins.call("again", ai::json::object()).result == "the host does not let plugins call `again`");
    CHECK(ai::dump_json(bench.plugins.call("nested", ai::json::object(), others).result) == "[{},{}]");
    CHECK_FALSE(bench.plugins.call("in_sort", ai::json::object(), others).ok());
    CHECK(bench.told.back().text.find("ctx.call cannot be used in a function") != std::string::npos);
}

TEST_CASE("a call of a plugin's may be answered later, and others run meanwhile") {
    plugin_bench bench;
    bench.add("caller.lua", caller);
    std::vector<ai::capability_responder> open;
    bench.plugins.grant({"look"});
    std::vector<ai::capability_reply> replies;
    const auto ask = [&](const char* name) {
        ai::capability_call call;
        call.name = name;
        call.others = [&](std::string, ai::json, ai::capability_responder answer) { open.push_back(std::move(answer)); };
        bench.plugins.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { replies.push_back(std::move(reply)); }));
    };
    ask("go");
    ask("go");
    CHECK(replies.empty());
    REQUIRE(open.size() == 2);
    open[1](ai::reply_with(2));
    REQUIRE(replies.size() == 1);
    CHECK(replies[0].result["value"] == 2);
    open[0](ai::reply_error(ai::reply_code::timeout, "too late"));
    REQUIRE(replies.size() == 2);
    CHECK(replies[1].result["why"] == "too late");

    open.clear();
    ask("go");
    open.clear();  // dropped: the plugin is told so
    REQUIRE(replies.size() == 3);
    CHECK(replies[2].ok());
    CHECK(replies[2].result["why"] != nullptr);
}

TEST_CASE("a plugin that waits in ctx.call outlives a reload, and not the stop of its state") {
    plugin_bench bench({.time = 250ms});
    bench.add("caller.lua", caller);
    std::vector<ai::capability_responder> open;
    bench.plugins.grant({"look"});
    std::vector<ai::capability_reply> replies;
    const auto ask = [&](const char* name) {
        ai::capability_call call;
        call.name = name;
        call.others = [&](std::string, ai::json, ai::capability_responder answer) { open.push_back(std::move(answer)); };
        bench.plugins.invoke(call, ai::capability_responder([&](ai::capability_reply reply) { replies.push_back(std::move(reply)); }));
    };
    ask("go");
    CHECK(bench.plugins.reload().empty());
    open[0](ai::reply_with(1));
    REQUIRE(replies.size() == 1);
    CHECK(replies[0].ok());

    open.clear();
    ask("go");
    ask("slow");
    open[1](ai::reply_with(1));
    REQUIRE(replies.size() == 2);
    CHECK_FALSE(replies[1].ok());
    open[0](ai::reply_with(1));
    REQUIRE(replies.size() == 3);
    CHECK(replies[2].code == ai::reply_code::plugin_error);
    CHECK(bench.plugins.describe()[0].memory == 0);
}

TEST_CASE("on a worker, calls are answered by its thread and do not hold up the caller") {
    lua::sandbox limits = patient();
    limits.run_on = lua::run_on::worker;
    lua::plugins plugins({.sandbox = limits});
    REQUIRE(plugins.add_text("doors.lua", doors));
    CHECK(plugins.specs()->size() == 1);
    const std::thread::id here = std::this_thread::get_id();
    std::mutex mutex;
    std::condition_variable changed;
    std::optional<ai::capability_reply> answered;
    std::thread::id there;
    ai::capability_call call;
    call.name = "open_door";
    call.arguments = support::parsed(R"({"id":"attic"})");
    plugins.invoke(call, ai::capability_responder([&](ai::capability_reply reply) {
                       const std::lock_guard lock(mutex);
                       answered = std::move(reply);
                       there = std::this_thread::get_id();
                       changed.notify_all();
                   }));
    {
        std::unique_lock lock(mutex);
        REQUIRE(changed.wait_for(lock, 20s, [&] { return answered.has_value(); }));
    }
    CHECK(answered->ok());
    CHECK(there != here);
    CHECK(plugins.call("open_door", support::parsed(R"({"id":"cellar"})")).message == "it is locked; set `force`");
}

TEST_CASE("a handle that goes away on the worker's own thread takes the worker with it") {
    lua::sandbox limits = patient();
    limits.run_on = lua::run_on::worker;
    auto gone = std::make_shared<std::promise<void>>();
    std::future<void> seen = gone->get_future();
    {
        auto plugins = std::make_shared<lua::plugins>(lua::plugins_options{.sandbox = limits});
        REQUIRE(plugins->add_text("doors.lua", doors));
        ai::capability_call call;
        call.name = "open_door";
        call.arguments = support::parsed(R"({"id":"attic"})");
        lua::plugins& used = *plugins;
        used.invoke(call, ai::capability_responder([kept = std::move(plugins), gone](ai::capability_reply) mutable {
                        kept.reset();
                        gone->set_value();
                    }));
    }
    CHECK(seen.wait_for(20s) == std::future_status::ready);
}
