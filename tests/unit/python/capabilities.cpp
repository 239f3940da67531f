#include "python_bench.hpp"

#include <set>

using namespace bench;
using ai::reply_code;

namespace {

std::vector<std::string> names_in(const ai::json& list, const char* key) {
    std::vector<std::string> names;
    for (const ai::json& each : python_bench::member(list, key)) {
        names.push_back(each.is_object() ? python_bench::text(each, "name") : std::string(ai::as_string(each).value_or("")));
    }
    return names;
}

ai::json with(const char* key, ai::json value, ai::json arguments = ai::json::object()) {
    arguments[key] = std::move(value);
    return arguments;
}

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("the capabilities are declared, each with a schema, a description and a headline") {
    python_bench bench;
    std::set<std::string> declared;
    const ai::capability_list list = *bench.session.specs();
    for (const ai::capability_spec& spec : list) {
        declared.insert(spec.name);
        CHECK(spec.description.size() > 30);
        CHECK(spec.effects == ai::effects::read);
        CHECK(spec.origin == "Python");
        CHECK(!spec.headline.empty());
        CHECK(python_bench::text(spec.parameters, "type") == "object");
        const ai::json properties = python_bench::member(spec.parameters, "properties");
        for (const auto& [name, property] : properties.items()) {
            CHECK(!python_bench::text(property, "description").empty());
            CHECK(!python_bench::text(property, "type").empty());
        }
    }
    CHECK(declared == std::set<std::string>{"list_globals", "get_type", "get_repr", "get_dir", "get_doc", "get_source", "inspect",
                                            "eval_expr", "get_last_exception", "get_stack", "situation"});
}

TEST_CASE("the declared effects of expressions follow the policy") {
    python_bench bench;
    const auto effects_of_eval = [&](py::eval_policy policy) {
        bench.session.set_policy(policy);
        const ai::capability_list declared = *bench.session.specs();
        for (const ai::capability_spec& spec : declared) {
            if (spec.name == "eval_expr") {
                return spec.effects;
            }
        }
        FAIL("eval_expr is not declared");
        return ai::effects::read;
    };
    CHECK(effects_of_eval(py::eval_policy::structural) == ai::effects::read);
    CHECK(effects_of_eval(py::eval_policy::snapshot) == ai::effects::read);
    CHECK(effects_of_eval(py::eval_policy::ask) == ai::effects::once);
    CHECK(effects_of_eval(py::eval_policy::unrestricted) == ai::effects::once);
}

TEST_CASE("a person is asked about expressions with the policy ask, and about nothing else") {
    python_bench bench;
    const std::vector<ai::proposed_call> batch = {{.name = "eval_expr"}, {.name = "inspect"}, {.name = "eval_expr"}};
    for (const py::eval_policy policy :
         {py::eval_policy::structural, py::eval_policy::snapshot, py::eval_policy::ask, py::eval_policy::unrestricted}) {
        bench.session.set_policy(policy);
        const std::vector<ai::call_decision> decisions = bench.session.review(batch);
        REQUIRE(decisions.size() == 3);
        const auto of_code = policy == py::eval_policy::ask ? ai::call_decision::kind::ask : ai::call_decision::kind::abstain;
        CHECK(decisions[0].what == of_code);
        CHECK(decisions[1].what == ai::call_decision::kind::abstain);
        CHECK(decisions[2].what == of_code);
    }
}

TEST_CASE("the policy structural runs no expression, and says which tier would") {
    python_bench bench("calls = []\ndef f(): calls.append(1); return 2");
    bench.session.set_policy(py::eval_policy::structural);
    const ai::capability_reply reply = invoke(bench.session, "eval_expr", about("f()"));
    CHECK(reply.code == reply_code::not_allowed);
    CHECK(ai::integer_member(reply.details, "needed_tier").value_or(0) > 1);
    CHECK(bench.repr("calls") == "[]");
    bench.session.set_policy(py::eval_policy::unrestricted);
    CHECK(python_bench::text(bench.look("eval_expr", "f()"), "value_repr") == "2");
    CHECK(bench.repr("calls") == "[1]");
}

TEST_CASE("every result has its headline, and says what ran for it") {
    python_bench bench("x = [1, 2, 41]");
    const ai::capability_list declared = *bench.session.specs();
    for (const ai::capability_spec& spec : declared) {
        INFO(spec.name);
        const ai::json arguments =
            ai::find_member(python_bench::member(spec.parameters, "properties"), "expr") ? about("x") : ai::json::object();
        const ai::json result = bench.result(spec.name, arguments);
        CHECK(ai::find_member(result, spec.headline) != nullptr);
        CHECK(ai::integer_member(result, "tier") == 0);
        CHECK(ai::bool_member(result, "ran_user_code") == false);
    }
}

TEST_CASE("list_globals lists variables sorted, modules last, and not the session's own names") {
    python_bench bench("import os, sys\nb = 'text'\na = 1\n_private = 2\ndef f(x): pass");
    REQUIRE(bench.session.run("5", {.mode = py::run_mode::interactive}).ok());
    const ai::json all = bench.result("list_globals", ai::json::object());
    CHECK(names_in(all, "globals") == names{"_private", "a", "b", "f", "os", "sys"});
    CHECK(ai::integer_member(all, "total") == 6);
    CHECK(ai::bool_member(all, "truncated") == false);
    const ai::json globals = python_bench::member(all, "globals");
    CHECK(globals[1] == parsed(R"({"name": "a", "type_name": "int", "summary": "1"})"));
    CHECK(globals[3] == parsed(R"j({"name": "f", "type_name": "function", "summary": "def f(x)"})j"));
    CHECK(globals[4] == parsed(R"({"name": "os", "type_name": "module", "summary": ""})"));
}

TEST_CASE("list_globals filters and pages") {
    python_bench bench("for i in range(10): globals()[f'item_{i}'] = i\nother = 1");
    const ai::json page = bench.result("list_globals", with("limit", 3, with("offset", 2, with("filter", "item_[0-8]"))));
    CHECK(names_in(page, "globals") == names{"item_2", "item_3", "item_4"});
    CHECK(ai::integer_member(page, "total") == 9);
    CHECK(ai::bool_member(page, "truncated") == true);
    CHECK(names_in(bench.result("list_globals", with("filter", "*er")), "globals") == names{"other"});
    CHECK(names_in(bench.result("list_globals", with("offset", 100)), "globals").empty());
}

TEST_CASE("get_type names the class and its module") {
    python_bench bench("import collections\nclass Outer:\n    class Inner: pass\nx = 1; o = collections.OrderedDict(); i = Outer.Inner()");
    const ai::json plain = bench.look("get_type", "x");
    CHECK(python_bench::text(plain, "name") == "int");
    CHECK(python_bench::text(plain, "module") == "builtins");
    CHECK(python_bench::text(plain, "qualified") == "int");
    CHECK(python_bench::text(bench.look("get_type", "o"), "qualified") == "collections.OrderedDict");
    CHECK(python_bench::text(bench.look("get_type", "i"), "name") == "Outer.Inner");
    CHECK(python_bench::text(bench.look("get_type", "Outer"), "qualified") == "type");
}

TEST_CASE("paths are resolved through attributes and items") {
    python_bench bench(R"(
import collections, math, datetime
class Base:
    shared = 'from the class'
    def method(self): 'What it does.'
    @staticmethod
    def static(): pass
    @classmethod
    def of(cls): pass
class Player(Base):
    __slots__ = ('slot',)
    def __init__(self): self.items = {'key': [10, 20], 1: 'one', (1, 'a'): 'tuple', b'b': 'bytes', None: 'none', 1.5: 'float'}; self.slot = 7
player = Player()
text, data, numbers, pair = 'héllo', b'ab', range(10, 20), (1, 2)
counts = collections.Counter('aab'); defaults = collections.defaultdict(list, a=1); point = collections.namedtuple('Point', 'x y')(3, 4)
day = datetime.date(2024, 5, 6)
error = ValueError('why', 2)
)");
    CHECK(bench.repr("player.items['key'][-1]") == "20");
    CHECK(bench.repr("player.items[1]") == "'one'");
    CHECK(bench.repr("player.items[True]") == "'one'");
    CHECK(bench.repr("player.items[1.0]") == "'one'");
    CHECK(bench.repr("player.items[1, 'a']") == "'tuple'");
    CHECK(bench.repr("player.items[b'b']") == "'bytes'");
    CHECK(bench.repr("player.items[None]") == "'none'");
    CHECK(bench.repr("player.items[1.5]") == "'float'");
    CHECK(bench.repr("player.slot") == "7");
    CHECK(bench.repr("player.shared") == "'from the class'");
    CHECK(bench.repr("player.__class__") == "<class '__main__.Player'>");
    CHECK(bench.repr("player.__dict__['items'][1]") == "'one'");
    CHECK(bench.repr("player.method") == "<bound method method()>");
    CHECK(bench.repr("player.static") == "<function static()>");
    CHECK(bench.repr("Player.of") == "<bound method of()>");
    CHECK(bench.repr("Player.__name__") == "'Player'");
    CHECK(bench.repr("Base.shared[0]") == "'f'");
    CHECK(bench.repr("text[1]") == "'é'");
    CHECK(bench.repr("data[0]") == "97");
    CHECK(bench.repr("numbers[-1]") == "19");
    CHECK(bench.repr("numbers.start") == "10");
    CHECK(bench.repr("pair[1]") == "2");
    CHECK(bench.repr("counts['a']") == "2");
    CHECK(bench.repr("defaults['a']") == "1");
    CHECK(bench.repr("point.x") == "3");
    CHECK(bench.repr("math.pi") == "3.141592653589793");
    CHECK(bench.repr("day.year") == "2024");
    CHECK(bench.repr("error.args[0]") == "'why'");
    CHECK(bench.repr("print") == "<built-in function print>");
}

TEST_CASE("what Python would raise is told as that exception, with the nearest names") {
    python_bench bench("class P: health = 1\nplayer = P()\nplayer.items = {'sword': 1}\nrows = [1, 2]\nnumber = 5");
    struct wrong {
        const char* expression;
        const char* exc_type;
        const char* nearest;
    };
    for (const wrong& each : std::initializer_list<wrong>{{"playr", "NameError", "player"},
                                                          {"player.helth", "AttributeError", "health"},
                                                          {"player.items['swrd']", "KeyError", "sword"},
                                                          {"rows[2]", "IndexError", nullptr},
                                                          {"rows[-3]", "IndexError", nullptr},
                                                          {"rows['a']", "TypeError", nullptr},
                                                          {"number[0]", "TypeError", nullptr},
                                                          {"P.helth", "AttributeError", "health"}}) {
        INFO(each.expression);
        const ai::capability_reply reply = invoke(bench.session, "get_repr", about(each.expression));
        REQUIRE(reply.code == reply_code::python_exception);
        CHECK(python_bench::text(reply.details, "exc_type") == each.exc_type);
        CHECK(!python_bench::text(reply.details, "message").empty());
        if (each.nearest != nullptr) {
            CHECK(python_bench::member(reply.details, "nearest")[0] == each.nearest);
            CHECK(reply.message.find(each.nearest) != std::string::npos);
        }
    }
}

TEST_CASE("an expression that would need code is refused, with the way out") {
    python_bench bench("class P:\n    @property\n    def p(self): return 1\n    def __getattr__(self, name): return 2\np = P()\nf = len");
    for (const char* expression : {"p.p", "p.other", "p()", "p.p + 1", "[p.p]", "lambda: 1"}) {
        INFO(expression);
        const ai::capability_reply reply = invoke(bench.session, "get_type", about(expression));
        CHECK(reply.code == reply_code::not_allowed);
        CHECK(reply.message.find("eval_expr") != std::string::npos);
        CHECK(ai::integer_member(reply.details, "needed_tier") == 2);
    }
}

TEST_CASE("arguments that do not fit are named") {
    python_bench bench("x = 1");
    CHECK(invoke(bench.session, "get_repr", ai::json::object()).code == reply_code::invalid_args);
    CHECK(invoke(bench.session, "get_repr", with("expr", 5)).code == reply_code::invalid_args);
    CHECK(invoke(bench.session, "get_repr", with("expr", "  ")).code == reply_code::invalid_args);
    const ai::capability_reply reply = invoke(bench.session, "get_repr", with("max_chars", -1, about("x")));
    CHECK(reply.code == reply_code::invalid_args);
    CHECK(reply.message.find("max_chars") != std::string::npos);
    CHECK(invoke(bench.session, "list_globals", with("limit", "ten")).code == reply_code::invalid_args);
    CHECK(invoke(bench.session, "get_repr", with("max_chars", 5.0, about("x"))).ok());
    CHECK(invoke(bench.session, "no_such", ai::json::object()).code == reply_code::unknown_function);
}

TEST_CASE("get_dir lists public names first, by pattern, to a limit") {
    python_bench bench("class A:\n    b = 1\n    _hidden = 2\nx = A(); x.a = 1");
    const ai::json all = bench.look("get_dir", "x");
    const names found = names_in(all, "members");
    REQUIRE(found.size() > 3);
    CHECK(names(found.begin(), found.begin() + 3) == names{"a", "b", "_hidden"});
    CHECK(names_in(bench.result("get_dir", with("filter", "_h*", about("x"))), "members") == names{"_hidden"});
    const ai::json some = bench.result("get_dir", with("limit", 1, about("x")));
    CHECK(names_in(some, "members") == names{"a"});
    CHECK(ai::bool_member(some, "truncated") == true);
    CHECK(ai::integer_member(some, "original_len") == static_cast<std::int64_t>(found.size()));
    CHECK(names_in(bench.result("get_dir", with("filter", "app*", about("__name__"))), "members").empty());
}

TEST_CASE("get_doc finds the text of objects, classes, functions and modules") {
    python_bench bench(
        "import math\nclass A:\n    'About A.'\n    def m(self): 'About m.'\na = A()\nlong = A(); long.__doc__ = 'x' * 5000\nclass N: "
        "pass");
    CHECK(python_bench::text(bench.look("get_doc", "A"), "doc") == "About A.");
    CHECK(python_bench::text(bench.look("get_doc", "a"), "doc") == "About A.");
    CHECK(python_bench::text(bench.look("get_doc", "a.m"), "doc") == "About m.");
    CHECK(python_bench::text(bench.look("get_doc", "math"), "doc").find("mathematical") != std::string::npos);
    CHECK(python_bench::text(bench.look("get_doc", "len"), "doc").starts_with("Return the number"));
    CHECK(python_bench::text(bench.look("get_doc", "list"), "doc").starts_with("Built-in mutable"));
    CHECK(python_bench::member(bench.look("get_doc", "N"), "doc").is_null());
    const ai::json cut = bench.look("get_doc", "long");
    CHECK(ai::bool_member(cut, "truncated") == true);
    CHECK(ai::integer_member(cut, "original_len") == 5000);
    CHECK(python_bench::text(cut, "doc").size() == 4000);
}

TEST_CASE("inspect tells values, methods and the names of properties") {
    python_bench bench(R"(
class Player:
    'A player.'
    level = 3
    def __init__(self): self.health = 40; self.items = list(range(100))
    @property
    def strength(self): return 1 / 0
    def heal(self, points=1): pass
player = Player()
)");
    const ai::json facts = bench.look("inspect", "player");
    CHECK(python_bench::text(python_bench::member(facts, "type"), "name") == "Player");
    CHECK(python_bench::member(facts, "size").is_null());
    CHECK(python_bench::text(facts, "summary").starts_with("<Player object with health=40"));
    CHECK(names_in(facts, "attributes") == names{"health", "items", "level", "strength"});
    const ai::json attributes = python_bench::member(facts, "attributes");
    CHECK(python_bench::text(attributes[0], "value") == "40");
    CHECK(python_bench::text(attributes[1], "value") == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ... 90 more]");
    CHECK(ai::bool_member(attributes[3], "lazy") == true);
    CHECK(ai::find_member(attributes[3], "value") == nullptr);
    CHECK(names_in(facts, "methods") == names{"heal"});
    const ai::json method = bench.look("inspect", "player.heal");
    CHECK(python_bench::text(method, "signature") == "heal(points=1)");
    const ai::json source = python_bench::member(method, "source");
    CHECK(python_bench::text(source, "file").starts_with("<session"));
    CHECK(ai::integer_member(source, "line") == 8);
}

TEST_CASE("inspect shows the items of a container to a bound") {
    python_bench bench("d = {f'k{i}': [i] * 30 for i in range(50)}\ns = {1}");
    ai::json arguments = with("rows", 2, with("columns", 3, about("d")));
    const ai::json facts = bench.result("inspect", arguments);
    CHECK(ai::integer_member(facts, "size") == 50);
    CHECK(ai::integer_member(facts, "items_total") == 50);
    CHECK(python_bench::member(facts, "items") ==
          parsed(R"([{"key": "'k0'", "value": "[0, 0, 0, ... 27 more]"}, {"key": "'k1'", "value": "[1, 1, 1, ... 27 more]"}])"));
    CHECK(python_bench::member(bench.look("inspect", "s"), "items") == parsed(R"(["1"])"));
}

TEST_CASE("a live eval_expr runs an expression as it is, and shows plain values without running anything") {
    python_bench bench(
        "import sys\nx = [1, 2]\nclass A:\n    def __repr__(self): return 'its own text'\na = A()\ndef f(): print('out'); print('err', "
        "file=sys.stderr); return 7",
        live_expressions);
    const ai::json plain = bench.look("eval_expr", "x");
    CHECK(python_bench::text(plain, "value_repr") == "[1, 2]");
    CHECK(ai::integer_member(plain, "tier") == 0);
    const ai::json own = bench.look("eval_expr", "a");
    CHECK(python_bench::text(own, "value_repr") == "its own text");
    CHECK(ai::integer_member(own, "tier") == 3);
    CHECK(ai::bool_member(own, "ran_user_code") == true);
    const ai::json called = bench.look("eval_expr", " f() + 1 ");
    CHECK(python_bench::text(called, "value_repr") == "8");
    CHECK(python_bench::text(called, "stdout") == "out\n");
    CHECK(python_bench::text(called, "stderr") == "err\n");
    CHECK(python_bench::text(bench.look("eval_expr", "None"), "value_repr") == "None");
    CHECK(python_bench::text(bench.look("eval_expr", "[a]"), "value_repr") == "[its own text]");
    CHECK(python_bench::text(bench.look("eval_expr", "list(range(10**6))"), "value_repr").size() < 4100);
}

TEST_CASE("by default eval_expr runs code only in a snapshot, whose value, output and exceptions come back") {
    python_bench bench(
        "import sys\ncalls = []\ndef f(): calls.append(1); print('out'); print('err', file=sys.stderr); return calls\n"
        "def fail(): raise ValueError('in the copy')");
    REQUIRE(bench.session.policy() == py::eval_policy::snapshot);
    const ai::json called = bench.look("eval_expr", "f() + [2]");
    CHECK(python_bench::text(called, "value_repr") == "[1, 2]");
    CHECK(python_bench::text(called, "stdout") == "out\n");
    CHECK(python_bench::text(called, "stderr") == "err\n");
    CHECK(ai::integer_member(called, "tier") == 2);
    CHECK(ai::bool_member(called, "ran_user_code") == true);
    CHECK(bench.repr("calls") == "[]");
    const ai::json counted = bench.look("eval_expr", "len(calls)");
    CHECK(ai::integer_member(counted, "tier") == 0);
    CHECK(ai::bool_member(counted, "ran_user_code") == false);
    const ai::capability_reply failed = invoke(bench.session, "eval_expr", about("fail()"));
    REQUIRE(failed.code == reply_code::python_exception);
    CHECK(python_bench::text(failed.details, "message") == "in the copy");
    CHECK(python_bench::text(failed.details, "traceback").find("in fail") != std::string::npos);
    CHECK(ai::integer_member(failed.details, "tier") == 2);
}

TEST_CASE("what eval_expr raises is told to the model and is not the person's last exception") {
    for (const py::eval_policy policy : {py::eval_policy::snapshot, py::eval_policy::unrestricted}) {
        python_bench bench("import sys", {.expressions = policy});
        const ai::capability_reply reply = invoke(bench.session, "eval_expr", about("1 / 0"));
        REQUIRE(reply.code == reply_code::python_exception);
        CHECK(python_bench::text(reply.details, "exc_type") == "ZeroDivisionError");
        CHECK(python_bench::text(reply.details, "message") == "division by zero");
        CHECK(ai::integer_member(reply.details, "tier") == 0);
        const ai::capability_reply raised = invoke(bench.session, "eval_expr", about("(lambda: 1 / 0)()"));
        CHECK(python_bench::text(raised.details, "traceback").find("lambda: 1 / 0") != std::string::npos);
        for (const char* expression : {"sys.exit(1)", "x = 1", "1 +", "(_ for _ in ()).throw(KeyboardInterrupt)", "'\\ud800'.encode()"}) {
            INFO(expression);
            CHECK(invoke(bench.session, "eval_expr", about(expression)).code == reply_code::python_exception);
        }
        CHECK(python_bench::member(bench.result("get_last_exception", ai::json::object()), "exception").is_null());
    }
}

TEST_CASE("the last exception is kept with its frames and their locals at that moment") {
    python_bench bench("class Secret:\n    def __repr__(self): raise RuntimeError('never asked')");
    const py::outcome failed = bench.session.exec(
        "def inner(n):\n    items = [n]; s = Secret()\n    return items[5]\ndef outer():\n    total = 3\n    return inner(total)\nouter()");
    REQUIRE(failed.ending == py::ending::raised);
    REQUIRE(bench.session.exec("pass").ok());
    const ai::json exception = python_bench::member(bench.result("get_last_exception", with("frames", 2)), "exception");
    CHECK(python_bench::text(exception, "exc_type") == "IndexError");
    CHECK(python_bench::text(exception, "message") == "list index out of range");
    CHECK(python_bench::text(exception, "traceback") == failed.exception->traceback);
    CHECK(ai::integer_member(exception, "frames_total") == 3);
    const ai::json frames = python_bench::member(exception, "frames");
    REQUIRE(frames.size() == 2);
    CHECK(python_bench::text(frames[0], "function") == "outer");
    CHECK(python_bench::member(frames[0], "locals") == parsed(R"({"total": "3"})"));
    CHECK(python_bench::text(frames[1], "source_line") == "return items[5]");
    CHECK(ai::integer_member(frames[1], "line") == 3);
    CHECK(python_bench::member(frames[1], "locals") == parsed(R"({"items": "[3]", "n": "3", "s": "<Secret object>"})"));
}

TEST_CASE("results are valid JSON whatever the objects are called and hold") {
    python_bench bench(
        "globals()['na\\udc80me'] = '\\udc80'\nclass C: pass\nC.__qualname__ = 'C\\udc80\\n'\nC.__module__ = 5\nc = "
        "C()\nc.__dict__['\\udfff'] = float('nan')\nn = {float('nan'): b'\\xff', '\\x00': '\\u202e'}");
    for (const char* name : {"get_type", "get_repr", "get_dir", "inspect"}) {
        for (const char* expression : {"c", "n", "C"}) {
            const ai::capability_reply reply = invoke(bench.session, name, about(expression));
            REQUIRE(reply.ok());
            const ai::result<ai::json> again = ai::parse_json(ai::dump_json(reply.envelope()));
            REQUIRE(again);
            CHECK(*again == reply.envelope());
        }
    }
    CHECK(names_in(bench.result("list_globals", ai::json::object()), "globals").back() == "na\\udc80me");
    CHECK(bench.repr("n['\\0']") == "'\\u202e'");
}
