#include <pyaichat/lua/sandbox.hpp>

#include "lua_bench.hpp"

using namespace lua_bench;

TEST_CASE("limits of a sandbox that make no sense are refused by name") {
    CHECK(check(lua::sandbox{}));
    lua::sandbox small;
    small.memory = 1000;
    REQUIRE_FALSE(check(small));
    CHECK(check(small).error().message.find("`memory`") != std::string::npos);
    CHECK_FALSE(check(lua::sandbox{.instructions = 0}));
    CHECK_FALSE(check(lua::sandbox{.time = 0ms}));
    CHECK_FALSE(check(lua::sandbox{.hook_time = -1ms}));
    lua::plugins refused({.sandbox = small});
    CHECK_FALSE(refused.add_text("a.lua", capability("a", "return 1")));
}

namespace {

enum class end_of { stopped, failed, either, fine };

struct attack {
    const char* name;
    const char* body;         // of `run`
    end_of end;               // what becomes of it
    const char* before = "";  // at the top of the file
};

// Each has to be over soon with the host alive, its memory back, and the next call working.
const attack attacks[] = {
    {"a plain loop", "while true do end", end_of::stopped},
    {"a loop of gotos", "::again:: goto again", end_of::stopped},
    {"a repeat loop on one line", "repeat until false", end_of::stopped},
    {"a loop under pcall in a loop", "while true do pcall(function() while true do end end) end", end_of::stopped},
    {"pcall of pcall", "while true do pcall(pcall, pcall, function() while true do end end) end", end_of::stopped},
    {"a loop in an xpcall handler", "xpcall(function() error('x') end, function() while true do end end)", end_of::stopped},
    {"a loop, and a handler that loops", "xpcall(function() while true do end end, function() while true do end end)", end_of::stopped},
    {"a loop in a coroutine", "coroutine.wrap(function() while true do end end)()", end_of::stopped},
    {"a loop in a resumed coroutine in a loop", "while true do coroutine.resume(coroutine.create(function() while true do end end)) end",
     end_of::stopped},
    {"a chain of coroutines", "local function chain() local c = coroutine.wrap(chain) pcall(c) while true do pcall(c) end end chain()",
     end_of::stopped},
    {"many short coroutines", "while true do coroutine.wrap(function() local x = 1 end)() end", end_of::stopped},
    {"coroutines that yield all the time",
     "local c = coroutine.wrap(function() while true do coroutine.yield() end end) while true do c() end", end_of::stopped},
    {"a loop in a for iterator", "for i in function() return 1 end do end", end_of::stopped},
    {"a table that is called by itself", "local t = {} setmetatable(t, {__call = t}) t()", end_of::failed},
    {"a table that was emptied, named ten thousand times",
     "local t = {} for i = 1, 200000 do t[-i] = 1 end for i = 1, 200000 do t[-i] = nil end "
     "local r = {} for i = 1, 9999 do r[i] = t end return r",
     end_of::either},
    {"frontiers without end", "return ('-a'):rep(500000):find(('%f[%w]'):rep(170000) .. '#')", end_of::either},
    {"40 times a long rep", "for i = 1, 40 do local s = string.rep('x', 30000000) end", end_of::failed},
    {"40 times a long rep under pcall",
     "local t = {} for i = 1, 40 do pcall(function() t[i] = string.rep('x', 30000000) end) end return #t", end_of::fine},
    {"rep of the empty string", "return #(''):rep(1 << 62) + #(''):rep(1 << 62, '')", end_of::fine},
    {"rep that overflows", "return ('xx'):rep(math.maxinteger)", end_of::failed},
    {"rep with a separator that overflows", "return ('x'):rep(1 << 61, 'yyyyyyy')", end_of::failed},
    {"reps in a loop", "while true do local s = ('x'):rep(1000000) end", end_of::stopped},
    {"optional letters", "return ('a'):rep(32):find(('a?'):rep(32) .. ('a'):rep(33))", end_of::stopped},
    {"a pattern that explodes", "return ('x'):rep(20000):find('.-.-.-.-b')", end_of::stopped},
    {"a pattern that explodes in gsub", "return ('x'):rep(20000):gsub('.-.-.-.-b', '')", end_of::stopped},
    {"a pattern that explodes in gmatch", "for w in ('x'):rep(20000):gmatch('.*.*.*.*b') do end", end_of::stopped},
    {"a back reference that explodes", "return ('x'):rep(50000):find('(.*)(.*)%1%2b')", end_of::stopped},
    {"balanced brackets over and over", "return ('('):rep(200000):find('%b()')", end_of::stopped},
    {"a plain search that explodes", "return (('a'):rep(500000)):find(('a'):rep(250000) .. 'b', 1, true)", end_of::stopped},
    {"a long set", "return ('x'):rep(100000):find('[' .. ('a'):rep(100000) .. ']')", end_of::stopped},
    {"deep alternatives", "return ('x'):rep(1000):find(('x?'):rep(1000))", end_of::failed},
    {"gsub calls back into gsub", "local function f(s) return (s:gsub('.', f)) end return f('x')", end_of::failed},
    {"sort with __index and __len",
     "table.sort(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return 1 end }))", end_of::failed},
    {"concat with __index and __len",
     "return table.concat(setmetatable({}, { __len = function() return 1 << 40 end, __index = function() return 'x' end }))",
     end_of::failed},
    {"unpack with __index and __len", "return table.unpack(setmetatable({}, { __len = function() return 1 << 30 end }))", end_of::failed},
    {"unpack of a range that overflows", "return table.unpack({}, math.mininteger, math.maxinteger)", end_of::failed},
    {"insert at the front for ever", "local t = {} while true do table.insert(t, 1, 1) end", end_of::stopped},
    {"remove with a lying length", "table.remove(setmetatable({}, { __len = function() return 1 << 60 end }))", end_of::failed},
    {"a sort with an order that lies", "local t = {} for i = 1, 1000 do t[i] = i end table.sort(t, function() return true end) return #t",
     end_of::fine},
    {"a sort with a loop as order", "table.sort({ 1, 2, 3 }, function() while true do end end)", end_of::stopped},
    {"a sort of long texts", "local s, t = ('x'):rep(500000), {} for i = 1, 40 do t[i] = s .. i end for i = 1, 1000 do table.sort(t) end",
     end_of::stopped},
    {"a __gc loop", "setmetatable({}, { __gc = function() while true do end end })", end_of::failed},
    {"a __gc that comes later",
     "local m = {} local t = setmetatable({}, m) m.__gc = function() while true do end end t = nil "
     "for i = 1, 1e4 do local x = {} end return 1",
     end_of::fine},
    {"a __close loop", "setmetatable({}, { __close = function() while true do end end })", end_of::failed},
    {"a __close that comes later",
     "local m = {} local t = setmetatable({}, m) m.__close = function() while true do end end local x <close> = t", end_of::failed},
    {"double pcall recursion", "local function f() pcall(f) pcall(f) end f()", end_of::stopped},
    {"double xpcall recursion", "local function f() xpcall(f, f) xpcall(f, f) end f()", end_of::stopped},
    {"endless recursion", "local function f() return 1 + f() end f()", end_of::either},
    {"endless tail calls", "local function f() return f() end f()", end_of::stopped},
    {"recursion through a metamethod",
     "local t = setmetatable({}, {}) t = setmetatable({}, { __index = function(t, k) return t[k] end }) return t.x", end_of::failed},
    {"utf8.len 200 times on 30 MB", "local s = ('x'):rep(30000000) for i = 1, 200 do utf8.len(s) end", end_of::failed},
    {"utf8.len on a long text for ever", "local s = ('x'):rep(1000000) while true do utf8.len(s) end", end_of::stopped},
    {"upper on a long text for ever", "local s = ('x'):rep(1000000) while true do s:upper() end", end_of::stopped},
    {"byte of a long text for ever", "local s = ('x'):rep(900000) while true do pcall(string.byte, s, 1, -1) end", end_of::stopped},
    {"comparing long texts for ever", "local a, b = ('x'):rep(900000) .. 'a', ('x'):rep(900000) .. 'b' while true do local c = a < b end",
     end_of::stopped},
    {"concatenating long texts for ever", "local s = ('x'):rep(900000) while true do local t = s .. 'y' end", end_of::stopped},
    {"a text that doubles", "local s = 'x' while true do s = s .. s end", end_of::stopped},
    {"a table that grows", "local t = {} for i = 1, math.huge do t[i] = i end", end_of::stopped},
    {"many small tables", "local t = {} for i = 1, math.huge do t[i] = { i } end", end_of::stopped},
    {"out of memory swallowed by pcall",
     "local t = {} while true do pcall(function() for i = 1, math.huge do t[#t + 1] = ('x'):rep(10000) .. i end end) end", end_of::stopped},
    {"out of memory in a coroutine",
     "while true do coroutine.resume(coroutine.create(function() local t = {} for i = 1, math.huge do t[i] = { i } end end)) end",
     end_of::stopped},
    {"coroutines without end", "local t = {} for i = 1, math.huge do t[i] = coroutine.create(function() end) end", end_of::stopped},
    {"walking an emptied table",
     "local t = {} for i = 1, 200000 do t['k' .. i] = 1 end for k in pairs(t) do t[k] = nil end "
     "while true do next(t) end",
     end_of::stopped},
    {"arguments without end", "local function f(...) return f(1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, ...) end f()",
     end_of::either},
    {"an error object with a looping __tostring", "error(setmetatable({}, { __tostring = function() while true do end end }))",
     end_of::failed},
    {"a result with a looping __tostring", "return setmetatable({ a = 1 }, { __tostring = function() while true do end end })",
     end_of::fine},
    {"a result with a looping __index", "return setmetatable({ a = 1 }, { __index = function() while true do end end })", end_of::fine},
    {"a result with a looping __pairs and __len",
     "local function loop() while true do end end return setmetatable({ 1 }, { __pairs = loop, __len = loop })", end_of::fine},
    {"tostring of a looping __tostring", "return tostring(setmetatable({}, { __tostring = function() while true do end end }))",
     end_of::stopped},
    {"format of a looping __tostring", "return ('%s'):format(setmetatable({}, { __tostring = function() while true do end end }))",
     end_of::stopped},
    {"a poisoned string library", "string.rep = nil string.format = function() while true do end end return ('x'):rep(3)", end_of::fine},
    {"a poisoned string metatable", "return tostring(getmetatable(''))", end_of::fine},
    {"a poisoned metatable of strings", "getmetatable('').__index = nil", end_of::failed},
    {"a yield at the top", "coroutine.yield(1)", end_of::failed},
    {"a yield in a callback of sort", "table.sort({ 1, 2 }, function() coroutine.yield() end)", end_of::failed},
    {"error(nil)", "error(nil)", end_of::failed},
    {"error of a table", "error({ code = 1 })", end_of::failed},
    {"error of a function", "error(print)", end_of::failed},
    {"a cyclic result", "local t = {} t.t = t return t", end_of::failed},
    {"a cycle through a list", "local t = { {} } t[1][1] = t return t", end_of::failed},
    {"a result of a million names", "local t = {} for i = 1, 1000000 do t['k' .. i] = 1 end return t", end_of::stopped},
    {"a result of many names", "local t = {} for i = 1, 20000 do t['k' .. i] = 1 end return t", end_of::failed},
    {"a result of many items", "local t = {} for i = 1, 200000 do t[i] = 1 end return t", end_of::failed},
    {"a result that unfolds", "local t = {} for i = 1, 31 do t = { t, t } end return t", end_of::failed},
    {"a deep result", "local t = {} for i = 1, 1000 do t = { t } end return t", end_of::failed},
    {"a function as result", "return print or function() end", end_of::failed},
    {"a coroutine as result", "return coroutine.create(function() end)", end_of::failed},
    {"a long text as result", "return { ('x'):rep(900000), ('y'):rep(900000) }", end_of::failed},
    {"many results", "return table.unpack({}, 1, 7000)", end_of::fine},
    {"log without end", "while true do ctx.log('x') end", end_of::stopped},
    {"state that is large", "ctx.state.x = {} for i = 1, math.huge do ctx.state.x[i] = i end", end_of::stopped},
    {"no ctx", "ctx.log = nil ctx.state = nil ctx.call = nil return 1", end_of::fine},
};

}  // namespace

TEST_CASE("attacks end, and the host goes on", "[attacks]") {
    for (const attack& one : attacks) {
        DYNAMIC_SECTION(one.name) {
            lua::sandbox limits;
            limits.time = 250ms;
            plugin_bench bench(limits);
            const std::string text = std::string("local calls = 0\n") + one.before +
                                     "\nreturn { name = 'attack', api = 1, capabilities = { " +
                                     "{ name = 'go', description = 'x', run = function(args, ctx) " + one.body + " end }, " +
                                     "{ name = 'next', description = 'x', run = function(args) calls = calls + 1 return calls end } } }";
            bench.add("attack.lua", text);
            const std::size_t memory_before = bench.plugins.describe()[0].memory;
            const ai::capability_reply reply = bench.plugins.call("go", ai::json::object());
            INFO(reply.message << " " << ai::dump_json(reply.result).substr(0, 200)
                               << (bench.told.empty() ? "" : " | " + bench.told.back().text));
            const bool stopped = bench.count_of(lua::notice::kind::stopped) == 1;
            CHECK(reply.ok() == (one.end == end_of::fine));
            if (one.end != end_of::either) {
                CHECK(stopped == (one.end == end_of::stopped));
                CHECK((bench.count_of(lua::notice::kind::failed) == 1) == (one.end == end_of::failed));
            }
            CHECK(bench.plugins.describe()[0].stops == (stopped ? 1 : 0));
            if (stopped) {
                CHECK(bench.plugins.describe()[0].memory == 0);
            }
            const ai::capability_reply after = bench.plugins.call("next", ai::json::object());
            CHECK(after.ok());
            CHECK(after.result == 1);
            if (stopped) {
                CHECK(bench.plugins.describe()[0].memory < memory_before * 2);
            }
        }
    }
}

TEST_CASE("files that attack when they are loaded are refused in time") {
    const auto refused = [](const std::string& text) {
        lua::sandbox limits;
        limits.time = 250ms;
        lua::plugins plugins({.sandbox = limits});
        const ai::result<void> added = plugins.add_text("attack.lua", text);
        REQUIRE_FALSE(added);
        CHECK(plugins.specs()->empty());
        return added.error().message;
    };
    CHECK(refused("return " + std::string(100'000, '(') + "1" + std::string(100'000, ')')).find("attack.lua:1:") == 0);
    CHECK(refused("local t = " + std::string(100'000, '{') + std::string(100'000, '}')).find("attack.lua:1:") == 0);
    CHECK(refused("-- " + std::string(10'000'000, 'x')).find("256 KiB") != std::string::npos);
    CHECK(refused("\x1bLua").find("compiled") != std::string::npos);
    CHECK(refused("while true do end").find("attack.lua:1: loading") == 0);
    // The compiler searches the names of all functions around for each one, and no hook looks after it.
    std::string nested;
    for (int i = 0; i < 180; ++i) {
        nested += "function f() local a";
        for (int local = 1; local < 190; ++local) {
            nested += ",a";
        }
        nested += " ";
    }
    for (int i = 0; i < 40'000; ++i) {
        nested += "x=x ";
    }
    CHECK_FALSE(refused(nested).empty());
    // A long name above many short fields: what is looked up later must not fill the host's memory.
    std::string named = "return {" + std::string(100'000, 'n') + " = {";
    for (int i = 0; i < 60'000; ++i) {
        named += "1,";
    }
    CHECK_FALSE(refused(named + "}}").empty());
    CHECK(refused("coroutine.yield()").find("yielded") != std::string::npos);
    CHECK(refused("local t = {}\nfor i = 1, math.huge do t[i] = {} end").find("attack.lua:2: loading") == 0);
    std::string labels;
    for (int i = 0; i < 12'000; ++i) {
        labels += "goto a" + std::to_string(i) + " ";
    }
    for (int i = 0; i < 9'000; ++i) {
        labels += "::a" + std::to_string(i) + "::";
    }
    CHECK(refused(labels).find("more than 4000 `goto` and `break`") != std::string::npos);
    std::string blocks;
    for (int i = 0; i < 30'000; ++i) {
        blocks += "do end ";
    }
    CHECK(refused(blocks).find("returns nothing") != std::string::npos);
}

TEST_CASE("what a plugin must not have is not there") {
    plugin_bench bench;
    for (const char* name :
         {"load", "loadstring", "loadfile", "dofile", "require", "package", "io", "os", "debug", "collectgarbage", "print", "warn",
          "string.dump", "string.pack", "string.unpack", "string.packsize", "table.move", "coroutine.close"}) {
        INFO(name);
        CHECK(bench.value_of(std::string(name) + " == nil") == true);
    }
    CHECK(bench.value_of("(function() local n = 0 for k in pairs(_G) do n = n + 1 end return n end)()") == 25);
    CHECK(bench.value_of("getmetatable(setmetatable({}, {})) == nil") == true);
}

TEST_CASE("no address of the process is told") {
    plugin_bench bench;
    CHECK(bench.value_of(
              "tostring({}) .. tostring(function() end) .. tostring(coroutine.create(function() end)) .. tostring(pyaichat.null)") ==
          "tablefunctionthreadnull");
    CHECK(bench.value_of("('%s %10s'):format({}, function() end)") == "table   function");
    CHECK(bench.value_of("pcall(string.format, '%p', {})") == false);
    CHECK(bench.value_of("pcall(string.format, '%10p', {})") == false);
    CHECK(bench.value_of("select('#', math.randomseed(1))") == 0);
    CHECK(bench.value_of("pcall(math.randomseed)") == false);
    CHECK(bench.run("error({})").ok() == false);
    CHECK(bench.told.back().text.find("0x") == std::string::npos);
}

TEST_CASE("two plugins cannot see each other") {
    plugin_bench bench;
    bench.add("one.lua", capability("one", "secret = 1 string.rep = 1 math.pi = 3 return secret"));
    bench.add("two.lua", capability("two", "return { secret == nil, type(string.rep), math.pi > 3.1 }"));
    CHECK(bench.plugins.call("one", ai::json::object()).result == 1);
    CHECK(ai::dump_json(bench.plugins.call("two", ai::json::object()).result) == R"([true,"function",true])");
}

TEST_CASE("a plugin that was stopped begins afresh, with its name still declared") {
    plugin_bench bench({.time = 250ms});
    bench.add("a.lua",
              "local n = 0 return { name = 'a', api = 1, capabilities = { { name = 'count', description = 'x', "
              "run = function(args, ctx) n = n + 1 ctx.state.n = n if args.loop then while true do end end return n end } } }");
    CHECK(bench.plugins.call("count", ai::json::object()).result == 1);
    CHECK(bench.plugins.call("count", ai::json::object()).result == 2);
    ai::json loop = ai::json::object();
    loop["loop"] = true;
    const ai::capability_reply stopped = bench.plugins.call("count", loop);
    CHECK(stopped.code == ai::reply_code::plugin_error);
    CHECK(stopped.message.find("do not call it again with these arguments") != std::string::npos);
    CHECK(bench.plugins.specs()->size() == 1);
    CHECK(bench.plugins.call("count", ai::json::object()).result == 1);
}

TEST_CASE("work is bounded by instructions where there is time enough") {
    plugin_bench bench({.instructions = 100'000, .time = 20s});
    CHECK(bench.run("for i = 1, 1000 do end return 1").ok());
    CHECK_FALSE(bench.run("for i = 1, 1000000 do end return 1").ok());
    CHECK(bench.texts(lua::notice::kind::stopped).at(0).find("used more than 100000 instructions") != std::string::npos);
    CHECK_FALSE(bench.run("while true do string.rep('x', 100000) end").ok());
    CHECK_FALSE(bench.run("while true do local t = { 1, 2, 3 } end").ok());
    CHECK(bench.count_of(lua::notice::kind::stopped) == 3);
}

TEST_CASE("the stop of a plugin says in which line it was") {
    plugin_bench bench({.time = 250ms});
    bench.add("a.lua",
              "return { name = 'a', api = 1, capabilities = { { name = 'go', description = 'x', run = function()\n\n"
              "  local n = 0\n  while true do n = n + 1 end\nend } } }");
    CHECK_FALSE(bench.plugins.call("go", ai::json::object()).ok());
    REQUIRE(bench.count_of(lua::notice::kind::stopped) == 1);
    CHECK(bench.texts(lua::notice::kind::stopped)[0].find("a.lua:4: `go` was stopped: it ") == 0);
}
