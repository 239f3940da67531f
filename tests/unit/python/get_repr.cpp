#include "python_bench.hpp"

using namespace bench;

TEST_CASE("built-in values are printed as Python prints them") {
    python_bench bench;
    for (const char* expression : {"None",
                                   "True",
                                   "...",
                                   "NotImplemented",
                                   "0",
                                   "-5",
                                   "2**63",
                                   "-2**64",
                                   "10**500",
                                   "1.0",
                                   "1e100",
                                   "-0.0",
                                   "float('nan')",
                                   "float('-inf')",
                                   "1.5j",
                                   "''",
                                   "'plain'",
                                   "\"it's\"",
                                   "'both \\' and \"'",
                                   "'\\n\\t\\r\\\\'",
                                   "'\\x00\\x7f\\xa0'",
                                   "'é ü 漢 😀'",
                                   "'\\udc80'",
                                   "'\\u2028\\U000e0001'",
                                   "b''",
                                   "b'a\\xff\\n\\'\"'",
                                   "b\"it's\"",
                                   "bytearray(b'x')",
                                   "[]",
                                   "[1, [2, [3]]]",
                                   "()",
                                   "(1,)",
                                   "(1, 2)",
                                   "{}",
                                   "{'a': 1, 2: [3]}",
                                   "set()",
                                   "{1}",
                                   "frozenset()",
                                   "frozenset({1})",
                                   "range(5)",
                                   "range(1, 10, 2)",
                                   "int",
                                   "__import__('datetime').date(2024, 1, 2)",
                                   "__import__('datetime').timedelta(days=1)",
                                   "ValueError('no', 1)"}) {
        INFO(expression);
        REQUIRE(bench.session.exec(std::string("v = ") + expression + "\nr = 'range(0, 5)' if v == range(5) else repr(v)").ok());
        const ai::json printed = bench.look("get_repr", "v");
        CHECK(python_bench::text(printed, "repr") == bench.session.exec("print(r, end='')").out);
        CHECK(ai::bool_member(printed, "truncated") == false);
        CHECK(ai::integer_member(printed, "original_len") == std::stoll(bench.session.eval("len(r)").value));
    }
}

TEST_CASE("objects are printed from their own attributes") {
    python_bench bench(R"(
import collections, enum
class Player:
    def __init__(self): self.health = 40; self.items = ['key']
class Slots:
    __slots__ = ('x', 'unset')
    def __init__(self): self.x = 1
class Many:
    def __init__(self): self.__dict__.update({f'a{i}': i for i in range(20)})
class Names(list): pass
class Text(str): pass
Point = collections.namedtuple('Point', 'x y')
class Outer:
    class Inner: pass
p, s, m, n, t, pt, inner = Player(), Slots(), Many(), Names([1]), Text('a'), Point(1, 2), Outer.Inner()
od, dd = collections.OrderedDict(a=1), collections.defaultdict(int, b=2)
p2 = Player(); p2.friend = p
def attack(target, /, damage=1, *rest, force=False, **more): pass
)");
    CHECK(bench.repr("p") == "<Player object with health=40, items=['key']>");
    CHECK(bench.repr("p2") == "<Player object with health=40, items=['key'], friend=<Player object with health=40, items=['key']>>");
    CHECK(bench.repr("s") == "<Slots object with x=1>");
    CHECK(bench.repr("m") == "<Many object with a0=0, a1=1, a2=2, a3=3, a4=4, a5=5, a6=6, a7=7, ... 12 more>");
    CHECK(bench.repr("n") == "Names([1])");
    CHECK(bench.repr("t") == "Text('a')");
    CHECK(bench.repr("pt") == "Point(x=1, y=2)");
    CHECK(bench.repr("inner") == "<Outer.Inner object>");
    CHECK(bench.repr("od") == "collections.OrderedDict({'a': 1})");
    CHECK(bench.repr("dd") == "collections.defaultdict({'b': 2})");
    CHECK(bench.repr("attack") == "<function attack(target, /, damage=1, *rest, force=False, **more)>");
    CHECK(bench.repr("collections") == "<module 'collections'>");
    CHECK(bench.repr("Player") == "<class '__main__.Player'>");
    CHECK(bench.repr("len") == "<built-in function len>");
}

TEST_CASE("cycles and deep nesting come to an end") {
    python_bench bench(
        "a = [1]; a.append(a)\nd = {}; d['d'] = d\nclass C: pass\nc = C(); c.me = c\ndeep = []\nfor _ in range(100000): deep = [deep]");
    CHECK(bench.repr("a") == "[1, [...]]");
    CHECK(bench.repr("d") == "{'d': {...}}");
    CHECK(bench.repr("c") == "<C object with me=<C object>>");
    const ai::json deep = bench.look("get_repr", "deep");
    CHECK(python_bench::text(deep, "repr").find("[...]") != std::string::npos);
    CHECK(ai::bool_member(deep, "truncated") == true);
    CHECK(bench.session.exec("while deep: deep = deep[0]").ok());
}

TEST_CASE("a long text is cut, and its length is counted up to a budget") {
    python_bench bench(
        "some = list(range(1000))\nmany = list(range(10_000_000))\ntext = 'x' * 50_000_000\nwide = [[0] * 1000] * 1000\nbits = 10**100000");
    ai::json arguments = about("some");
    arguments["max_chars"] = 10;
    const ai::json some = bench.result("get_repr", arguments);
    CHECK(python_bench::text(some, "repr") == "[0, 1, 2, ");
    CHECK(ai::integer_member(some, "original_len") == 4890);
    CHECK(ai::bool_member(some, "truncated") == true);
    for (const char* name : {"many", "text", "wide", "bits"}) {
        const ai::json printed = bench.look("get_repr", name);
        CHECK(python_bench::member(printed, "original_len").is_null());  // counting it would take seconds
        CHECK(ai::bool_member(printed, "truncated") == true);
    }
    CHECK(bench.repr("bits") == "<int of 332193 bits, about 10**99999>");
}

TEST_CASE("the views of a dict are printed like repr, with cycles and limits") {
    python_bench bench(
        "d = {'a': 1, 'b': [2]}\ncyclic = {}\nview = cyclic.values()\ncyclic['self'] = view\nlarge = dict.fromkeys(range(10**6))");
    for (const char* view : {"d.keys()", "d.values()", "d.items()", "{}.keys()"}) {
        CHECK(bench.repr(view) == bench.session.eval(view).value);
    }
    CHECK(bench.repr("view") == "dict_values([<dict_values object>])");
    CHECK(ai::bool_member(bench.look("get_repr", "large.keys()"), "truncated") == true);
}
