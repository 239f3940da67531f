// The string and table functions of the sandbox against Lua's own, expression by expression.
#include "lua/sandbox/lua_api.hpp"

#include "lua_bench.hpp"

using namespace lua_bench;

namespace {

/// What plain Lua makes of an expression, with all results, errors as the word "error".
class plain_lua {
public:
    plain_lua() : L_(luaL_newstate()) { luaL_openlibs(L_); }
    plain_lua(const plain_lua&) = delete;
    plain_lua& operator=(const plain_lua&) = delete;
    ~plain_lua() { lua_close(L_); }

    std::string run(const std::string& body) {
        lua_settop(L_, 0);
        REQUIRE(luaL_loadstring(L_, body.c_str()) == LUA_OK);
        REQUIRE(lua_pcall(L_, 0, 1, 0) == LUA_OK);
        std::size_t size = 0;
        const char* const text = lua_tolstring(L_, -1, &size);
        return std::string(text, size);
    }

private:
    lua_State* L_;
};

/// All results of an expression as one text.
std::string show(const std::string& expression) {
    return "local function show(ok, ...) if not ok then return 'error' end local t = { n = select('#', ...), ... } local s = '' "
           "for i = 1, t.n do s = s .. '|' .. tostring(t[i]) end return s end return show(pcall(function() return " +
           expression + " end))";
}

const char* const expressions[] = {
    "('hello world'):find('o w')",
    "('hello'):find('l+')",
    "('hello'):find('xyz')",
    "('hello'):find('')",
    "('hello'):find('', 6)",
    "('hello'):find('', 7)",
    "('hello'):find('l', -2)",
    "('hello'):find('h', -100)",
    "('a.b'):find('.', 1, true)",
    "('a.b'):find('%.')",
    "('a+b'):find('+', 1, true)",
    "('abc'):find('b', 1, true)",
    "('abc'):find('abcd', 1, true)",
    "('abcabd'):find('abd', 1, true)",
    "('hello'):match('(h)(.)(l*)')",
    "('hello'):match('()ll()')",
    "('  x '):match('^%s*(.-)%s*$')",
    "('key = value'):match('^(%w+)%s*=%s*(%w+)$')",
    "('2024-05-06'):match('(%d+)-(%d+)-(%d+)')",
    "('[[x]]'):match('%[%[(.-)%]%]')",
    "('f(a(b)c)d'):match('%b()')",
    "('f(a(bc'):match('%b()')",
    "('THE (quick) fox'):find('%((%a+)%)')",
    "('hello'):match('.-o')",
    "('hello'):match('.-$')",
    "('aaa'):match('a-b')",
    "('aaab'):match('a-b')",
    "('x'):match('[]]')",
    "(']'):match('[]]')",
    "('a'):match('[^]]')",
    "('-'):match('[a-]')",
    "('b'):match('[a-c]')",
    "('d'):match('[^a-c]')",
    "('%'):match('%%')",
    "('5'):match('[%d%.]')",
    "('.'):match('[%d%.]')",
    "('_'):match('[%w_]')",
    "('^'):match('[x^]')",
    "('a'):match('[%a-z]')",
    "('THE END'):gsub('%f[%a]%a+', string.lower)",
    "('THE (quick) fox'):find('%f[%a]%a+%f[%A]')",
    "('abab'):match('(ab)%1')",
    "('abac'):match('(ab)%1')",
    "('\"x\" y'):match('([\"\\'])(.-)%1')",
    "('hello world'):gsub('o', '0')",
    "('hello world'):gsub('(%w+)', '<%1>')",
    "('hello world'):gsub('%w+', '%0 %0', 1)",
    "('hello'):gsub('', '-')",
    "('abc'):gsub('%w', '%%%0')",
    "('abc'):gsub('b', { b = 'x' })",
    "('abc'):gsub('%w', { a = 1, b = true and 'B', c = false })",
    "('abc'):gsub('%w', function(c) if c ~= 'b' then return c:upper() end end)",
    "('abc'):gsub('(a)(b)', '%2%1')",
    "('abc'):gsub('()', '%1')",
    "('abc def'):gsub('%s*$', '')",
    "('x = 1, y = 2'):gsub('(%w) = (%w)', '%2 = %1')",
    "('abc'):gsub('^a', 'x')",
    "('aaa'):gsub('^a', 'x')",
    "('abc'):gsub('$', '!')",
    "('abc'):gsub('a*', '-')",
    "('abc'):gsub('.', '%9')",
    "('abc'):gsub('.', '%')",
    "('abc'):gsub('(', 'x')",
    "('abc'):gsub(')', 'x')",
    "('abc'):gsub('[a', 'x')",
    "('abc'):gsub('%', 'x')",
    "('abc'):gsub('b', function() return {} end)",
    "('abc'):gsub('b', nil)",
    "('abc'):find('%1')",
    "('abc'):find('(a')",
    "('abc'):find('%f')",
    "('abc'):find('%bx')",
    "('abc'):find('[%')",
    "('abc'):find('[a-')",
    "('abc'):find('[]')",
    "('abc'):find('[^')",
    "('abc'):gsub('b', 'x', 0)",
    "('abc'):gsub('b', 'x', -1)",
    "(1234):find('2')",
    "('a\\0b'):find('\\0')",
    "('a\\0b'):find('\\0', 1, true)",
    "('a\\0b'):match('%z')",
    "('a\\0b'):gsub('%z', 'x')",
    "(function() local t = {} for k, v in ('a=1, b=2'):gmatch('(%w+)=(%w+)') do t[#t + 1] = k .. v end return t[1], t[2] end)()",
    "(function() local n = 0 for w in ('one two  three'):gmatch('%a+') do n = n + #w end return n end)()",
    "(function() local n = 0 for w in ('abc'):gmatch('') do n = n + 1 end return n end)()",
    "(function() local s = '' for a in ('abc'):gmatch('a*') do s = s .. '<' .. a .. '>' end return s end)()",
    "(function() local s = '' for p in ('abc'):gmatch('()b', 2) do s = s .. p end return s end)()",
    "(function() local s = '' for p in ('aab'):gmatch('^a') do s = s .. p end return s end)()",
    "('é'):upper() == 'é'",
    "('x'):rep(3)",
    "('x'):rep(3, ',')",
    "('x'):rep(0)",
    "('x'):rep(-1)",
    "('x'):rep(1, ',')",
    "(''):rep(10, ',')",
    "('%5d|%-5s|%05.1f|%x|%q'):format(42, 'ab', 3.14159, 255, 'a\\nb')",
    "('%s %s %s'):format(nil, true, 1.5)",
    "('%c%c'):format(72, 105)",
    "('%%'):format()",
    "('%d'):format('10')",
    "('%d'):format(1.5)",
    "('%s'):format()",
    "('%y'):format(1)",
    "('%'):format(1)",
    "('%10.3s|'):format('abcdef')",
    "('%g'):format(1e100)",
    "('%i'):format(3)",
    "('%a'):format(1)",
    "tostring(1e15)",
    "tostring(2^53)",
    "tostring(-0.0)",
    "tostring(1/0)",
    "#tostring(12)",
    "table.concat({ 1, 2, 'x' }, ', ')",
    "table.concat({})",
    "table.concat({ 1, 2, 3 }, '', 2, 3)",
    "table.concat({ 1, 2, 3 }, ',', 3, 2)",
    "table.concat({ 1, {}, 3 })",
    "table.concat({ 'a', 'b' }, ',', 1, 3)",
    "table.unpack({ 1, 2, 3 })",
    "table.unpack({ 1, 2, 3 }, 2)",
    "table.unpack({ 1, nil, 3 }, 1, 3)",
    "table.unpack({}, 1, 2)",
    "select('#', table.unpack({}))",
    "table.pack(1, nil, 3).n",
    "table.pack().n",
    "(function() local t = { 1, 2 } table.insert(t, 3) table.insert(t, 1, 0) return table.concat(t) end)()",
    "(function() local t = { 1, 2 } table.insert(t, 5, 0) end)()",
    "(function() local t = { 1 } table.insert(t, 1, 2, 3) end)()",
    "(function() local t = { 1, 2, 3 } return table.remove(t), table.remove(t, 1), #t end)()",
    "table.remove({})",
    "table.remove({}, 0)",
    "table.remove({ 1, 2 }, 4)",
    "table.remove({ 1, 2 }, 3)",
    "(function() local t = { 3, 1, 2 } table.sort(t) return table.concat(t) end)()",
    "(function() local t = { 3, 1, 2 } table.sort(t, function(a, b) return a > b end) return table.concat(t) end)()",
    "(function() local t = { 'b', 'a', 'c' } table.sort(t) return table.concat(t) end)()",
    "(function() table.sort({ 1, 'x' }) end)()",
    "(function() local t = {} for i = 1, 100 do t[i] = (i * 37) % 101 end table.sort(t) for i = 2, 100 do if t[i - 1] > t[i] then return i "
    "end end end)()",
    "next({})",
    "next({ 5 })",
    "rawlen({ 1, 2 })",
    "rawequal('a', 'a')",
    "type(next)",
    "select(-1, 1, 2, 3)",
    "tonumber('0x10')",
    "tonumber('z', 36)",
    "pcall(error)",
    "pcall(error, 'x', 0)",
    "pcall(error, nil)",
    "select('#', pcall(error))",
    "xpcall(error, function(m) return m .. '!' end, 'x', 0)",
    "xpcall(function(...) return select('#', ...) end, function() end, 1, nil, 3)",
    "(function() local t = setmetatable({}, { __index = function(t, k) return k .. '!' end }) return t.a, t.b end)()",
    "tostring(setmetatable({}, { __tostring = function() return 'me' end }))",
    "tostring(setmetatable({}, { __tostring = function() return 1 end }))",
    "(function() local s = 0 for k, v in pairs(setmetatable({}, { __pairs = function() return function(_, k) if not k then return 1, 2 end "
    "end end })) do s = s + v end return s end)()",
    "(function() local c = coroutine.wrap(function(a) local b = coroutine.yield(a + 1) return b * 2 end) return c(1), c(10) end)()",
    "coroutine.resume(coroutine.create(function() error('x', 0) end))",
    "coroutine.resume(coroutine.create(function(...) return ... end), 1, 2)",
    "(function() local c = coroutine.create(function() end) coroutine.resume(c) return coroutine.status(c), coroutine.resume(c) end)()",
    "(function() local c c = coroutine.create(function() return coroutine.status(c) end) return coroutine.resume(c) end)()",
    "(function() local c = coroutine.wrap(function() pcall(coroutine.yield, 1) return 2 end) return c(), c() end)()",
    "(function() local c = coroutine.wrap(function() return pcall(function() coroutine.yield(1) error('x', 0) end) end) return c(), c() "
    "end)()",
    "(function() local c = coroutine.wrap(function() return xpcall(function() coroutine.yield(1) error('x', 0) end, function(m) return m "
    ".. '?' end) end)"
    " return c(), c() end)()",
    "coroutine.wrap(function() return coroutine.isyieldable() end)()",
    "'10' + 1",
    "'0x10' * ' 2 '",
    "10 // '3'",
    "-'2.5'",
    "'7' % '4'",
    "2 ^ '3'",
    "(pcall(function() return 'a' + 1 end))",
    "'1' + setmetatable({}, { __add = function(a, b) return a .. '!' end })",
    "utf8.len('äö')",
    "utf8.char(228, 246)",
    "utf8.codepoint('äö', 1, -1)",
};

}  // namespace

TEST_CASE("the bounded functions give what Lua's own give") {
    plain_lua plain;
    plugin_bench bench;
    std::string all = "return {";
    for (const char* const expression : expressions) {
        all += " function() " + show(expression) + " end,\n";
    }
    bench.add("all.lua", "local all = (function() " + all +
                             "} end)()\nreturn { name = 'all', api = 1, capabilities = { { name = 'at', description = 'x', "
                             "run = function(args) return all[args.i]() end } } }");
    int i = 0;
    for (const char* const expression : expressions) {
        INFO(expression);
        ai::json arguments = ai::json::object();
        arguments["i"] = ++i;
        CHECK(bench.plugins.call("at", arguments).result == plain.run(show(expression)));
    }
}

TEST_CASE("a sort is stable, and an order that fails leaves the list as it was") {
    plugin_bench bench;
    CHECK(bench
              .run("local t = {} for i = 1, 50 do t[i] = { k = i % 3, i = i } end table.sort(t, function(a, b) return a.k < b.k end) "
                   "for i = 2, 50 do if t[i - 1].k == t[i].k and t[i - 1].i > t[i].i then return false end end return true")
              .result == true);
    CHECK(bench
              .run("local t, n = { 5, 4, 3, 2, 1 }, 0 pcall(table.sort, t, function(a, b) n = n + 1 if n > 4 then error('x') end return a "
                   "< b end) "
                   "return table.concat(t)")
              .result == "54321");
}
