#include "python_bench.hpp"

using namespace bench;

namespace {

/// A reply that is as small as the object is large.
void check_small(const ai::json& result, std::size_t bytes = 16'000) {
    CHECK(ai::dump_json(result).size() < bytes);
}

}  // namespace

TEST_CASE("inspect counts the attributes of a large object in one pass, and says when it stopped counting") {
    python_bench bench(
        "class A:\n    def method(self): pass\nsome = A(); some.__dict__.update({f'a{i}': i for i in range(50_000)})\n"
        "many = A(); many.__dict__.update({f'a{i}': i for i in range(150_000)})\n"
        "Wide = type('Wide', (), {f'a{i}': i for i in range(150_000)})\nwide = Wide()");
    const ai::json some = bench.look("inspect", "some");
    check_small(some);
    CHECK(ai::integer_member(some, "attributes_total") == 50'000);
    CHECK(ai::find_member(some, "attributes_cut") == nullptr);
    CHECK(python_bench::text(python_bench::member(some, "attributes")[1], "name") == "a1");
    CHECK(ai::integer_member(some, "methods_total") == 1);
    for (const char* name : {"many", "wide", "Wide"}) {
        INFO(name);
        const ai::json cut = bench.look("inspect", name);
        check_small(cut);
        CHECK(ai::bool_member(cut, "attributes_cut") == true);
        CHECK(ai::integer_member(cut, "attributes_total").value_or(0) <= 100'000);
        const ai::json listed = bench.look("get_dir", name);
        CHECK(ai::bool_member(listed, "truncated") == true);
        CHECK(python_bench::member(listed, "original_len").is_null());
        CHECK(python_bench::member(listed, "members").size() == 200);
    }
}

TEST_CASE("the attributes of the index are those that single lookups find") {
    python_bench bench(R"(
class Base:
    __slots__ = ()
    shared, shadowed = 1, 2
    @property
    def computed(self): return 1
    def method(self): pass
class A(Base):
    __slots__ = ('slot', 'unset', '__dict__')
    shadowed = 3
    @classmethod
    def made(cls): pass
    @staticmethod
    def free(): pass
a = A(); a.slot = 4; a.own = 5; a.__dict__['computed'] = 6; a.__dict__['shadowed'] = 7; a.__dict__['method'] = 8
class Lazy:
    def __getattr__(self, name): return 1
lazy = Lazy(); lazy.x = 9
import collections
)");
    for (const char* object : {"a", "A", "lazy", "collections", "a.made", "len"}) {
        ai::json arguments = about(object);
        arguments["rows"] = 500;
        const ai::json facts = bench.result("inspect", arguments);
        for (const ai::json& each : python_bench::member(facts, "attributes")) {
            const std::string name = python_bench::text(each, "name");
            INFO(object << "." << name);
            const ai::capability_reply single = invoke(bench.session, "get_type", about(std::string(object) + "." + name));
            if (ai::bool_member(each, "lazy") == true) {
                CHECK(single.code == ai::reply_code::not_allowed);
            } else {
                REQUIRE(single.ok());
                CHECK(python_bench::text(each, "type") == python_bench::text(single.result, "qualified"));
            }
        }
        for (const ai::json& each : python_bench::member(facts, "methods")) {
            CHECK(invoke(bench.session, "get_type", about(std::string(object) + "." + std::string(*ai::as_string(each)))).ok());
        }
    }
    const ai::json facts = bench.look("inspect", "a");
    CHECK(ai::integer_member(facts, "attributes_total") == 6);  // computed, method, own, shadowed, shared, slot (unset is missing)
}

TEST_CASE("very long names are cut in every reply") {
    python_bench bench(
        "long = 'n' * 10_000_000\nC = type(long, (), {}); C.__module__ = long\nc = C(); globals()[long] = 1; c.__dict__[long] = 1\n"
        "def f(): pass\nf.__name__ = f.__qualname__ = long\nclass P: pass\nP.__getitem__ = None\nP.__qualname__ = long\np = P()\n"
        "G = type(long, (), {'__getattribute__': lambda self, name: 1})\ng = G()");
    for (const char* expression : {"c", "C", "f", "c.x", "c[0]", "c.x.y", "p", "p[0]", "g.x", "no_such"}) {
        for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect"}) {
            INFO(capability << " " << expression);
            check_small(invoke(bench.session, capability, about(expression)).envelope());
        }
    }
    check_small(bench.result("list_globals", ai::json::object()));
    check_small(bench.result("situation", ai::json::object()));
}

TEST_CASE("a signature has at most fifty parameters and says how many follow") {
    python_bench bench(
        "exec('def positional(' + ', '.join(f'p{i}=0' for i in range(5000)) + '): pass')\n"
        "exec('def named(a, *, ' + ', '.join(f'k{i}=0' for i in range(5000)) + ', **rest): pass')\n"
        "exec('def fifty(' + ', '.join(f'p{i}' for i in range(50)) + ', *rest): pass')");
    const std::string positional = python_bench::text(bench.look("inspect", "positional"), "signature");
    CHECK(positional.starts_with("positional(p0=0, p1=0, "));
    CHECK(positional.ends_with(", p49=0, ... 4950 more)"));
    const std::string named = python_bench::text(bench.look("inspect", "named"), "signature");
    CHECK(named.starts_with("named(a, *, k0=0, "));
    CHECK(named.ends_with(", k48=0, ... 4951 more)"));
    CHECK(python_bench::text(bench.look("inspect", "fifty"), "signature").ends_with(", p49, *rest)"));
}

TEST_CASE("a huge namespace is listed in pages and its misspelt names are still found") {
    python_bench bench("globals().update({f'variable_{i:06}': i for i in range(150_000)})\nhealth = 1");
    const ai::json listed = bench.result("list_globals", ai::json::object());
    check_small(listed);
    CHECK(ai::integer_member(listed, "total") == 150'001);
    CHECK(ai::bool_member(listed, "truncated") == true);
    REQUIRE(bench.session.exec("globals().update({f'variable_{i:06}': i for i in range(250_000)})").ok());
    const ai::json larger = bench.result("list_globals", ai::json::object());
    CHECK(python_bench::member(larger, "total").is_null());
    CHECK(ai::bool_member(larger, "truncated") == true);
    const ai::capability_reply misspelt = invoke(bench.session, "get_repr", about("variable_00123"));
    CHECK(misspelt.message.find("did you mean: variable_") != std::string::npos);
    check_small(misspelt.envelope());
}

TEST_CASE("a key beyond the searched part of a huge dict is refused and not called missing") {
    python_bench bench("d = {f'k{i}': i for i in range(500_100)}\nn = dict.fromkeys(range(500_100))");
    CHECK(bench.repr("d['k5']") == "5");
    CHECK(bench.repr("n[499_000]") == "None");
    for (const char* expression : {"d['k500050']", "d['no']", "n[500_050]"}) {
        const ai::capability_reply reply = invoke(bench.session, "get_repr", about(expression));
        CHECK(reply.code == ai::reply_code::not_allowed);
        CHECK(reply.message.find("first 500000 keys") != std::string::npos);
    }
}

TEST_CASE("long documentation, long chains of classes and many objects of a large class are looked at in part") {
    python_bench bench(
        "def documented(): pass\ndocumented.__doc__ = 'x' * 100_000_000\n"
        "Deep = object\nfor i in range(500): Deep = type(f'Deep{i}', (Deep,), {f'level{i}': i})\ndeep = Deep()\n"
        "Large = type('Large', (), {f'a{i}': i for i in range(50_000)})\nobjects = [Large() for _ in range(2000)]");
    check_small(bench.look("inspect", "documented"));
    check_small(bench.look("get_doc", "documented"));
    CHECK(python_bench::text(bench.look("inspect", "documented"), "doc").size() == 400);
    CHECK(ai::integer_member(bench.look("inspect", "deep"), "attributes_total") == 500);
    CHECK(bench.repr("deep.level7") == "7");
    check_small(bench.look("get_repr", "objects"));
    check_small(bench.look("inspect", "objects"));
}

TEST_CASE("a long chain of methods of methods is looked at without following it") {
    python_bench bench("import types\ndef f(): 'doc'\nchain = f\nfor _ in range(300_000): chain = types.MethodType(chain, 1)");
    for (const char* capability : {"get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect", "eval_expr"}) {
        check_small(invoke(bench.session, capability, about("chain")).envelope());
        check_small(invoke(bench.session, capability, about("chain.attribute")).envelope());
    }
    CHECK(bench.repr("types.MethodType.__name__") == "'method'");
    CHECK(bench.repr("chain.__self__") == "1");
}

TEST_CASE("arithmetic with huge integers in ranges, sums and sets of equal hashes is refused") {
    // With integers of megabytes each of these takes from 100 ms up to minutes.
    python_bench bench(
        "huge = 1 << 600_000\nfar = range(1, huge, huge >> 200_000 | 1)\nnear = range(10)\n"
        "wide = [2**65535] * 50_000\nequal_hashes = [i * (2**61 - 1) for i in range(60_000)]",
        {.expressions = py::eval_policy::structural});
    for (const char* expression :
         {"far[-1]", "far[::2]", "huge in far", "far.index(huge)", "list(reversed(far))", "[x for x in far]", "near[::huge]",
          "huge in near", "sum([1] * 50_000, huge)", "sum(wide)", "round(huge, -1000)", "list(enumerate(near, huge))", "set(equal_hashes)",
          "frozenset(equal_hashes)", "{1}.union(equal_hashes)"}) {
        INFO(expression);
        CHECK(invoke(bench.session, "eval_expr", about(expression)).code == ai::reply_code::not_allowed);
    }
    CHECK(bench.repr("range(10**100)[5]") == "5");
    CHECK(bench.repr("range(10**100)[-1] % 10") == "9");
    CHECK(bench.repr("sum([2**100] * 3, 2**200) == 3 * 2**100 + 2**200") == "True");
    CHECK(bench.repr("sorted({3}.union([1, 2], (1,))), frozenset([1, 1]), set(near) == set(range(10))") ==
          "([1, 2, 3], frozenset({1}), True)");
    CHECK(bench.repr("near[::-3][1], 3 in near, near.index(4), list(reversed(near))[0]") == "(6, True, 4, 9)");
}
