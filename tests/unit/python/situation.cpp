#include "python_bench.hpp"

#include <algorithm>

using namespace bench;

namespace {

std::vector<std::string> names_of_changes(const ai::json& result, const char* kind) {
    std::vector<std::string> names;
    for (const ai::json& each : python_bench::member(python_bench::member(result, "changes"), kind)) {
        names.push_back(each.is_string() ? std::string(*ai::as_string(each)) : python_bench::text(each, "name"));
    }
    std::sort(names.begin(), names.end());
    return names;
}

using names = std::vector<std::string>;

}  // namespace

TEST_CASE("situation tells where the last entry stopped, with the values of its frames") {
    python_bench bench("def hit(player, points):\n    left = player['health'] - points\n    return left / 0");
    REQUIRE(bench.session.exec("print('round 1')\nhit({'health': 40}, 3)").ending == py::ending::raised);
    const ai::json result = bench.result("situation", ai::json::object());
    CHECK(python_bench::text(result, "state") == "idle: the last entry stopped with an exception");
    const ai::json at = python_bench::member(result, "stopped_at");
    CHECK(python_bench::text(at, "function") == "hit");
    CHECK(ai::integer_member(at, "line") == 3);
    const ai::json exception = python_bench::member(result, "exception");
    CHECK(python_bench::text(exception, "exc_type") == "ZeroDivisionError");
    const ai::json locals = python_bench::member(python_bench::member(exception, "frames").back(), "locals");
    CHECK(python_bench::text(locals, "left") == "37");
    CHECK(python_bench::text(python_bench::member(result, "output"), "stdout") == "round 1\n");
    const ai::json entries = python_bench::member(result, "entries");
    REQUIRE(entries.size() == 2);
    CHECK(python_bench::text(entries[0], "ended") == "done");
    CHECK(python_bench::text(entries[1], "ended") == "raised ZeroDivisionError");
    CHECK(python_bench::text(entries[1], "source").starts_with("print('round 1')"));
    CHECK(ai::integer_member(result, "tier") == 0);

    REQUIRE(bench.session.exec("pass").ok());
    const ai::json later = bench.result("situation", ai::json::object());
    CHECK(python_bench::text(later, "state") == "idle: the last entry ended");
    CHECK(python_bench::member(later, "stopped_at").is_null());
    CHECK(!python_bench::member(later, "exception").is_null());
}

TEST_CASE("situation of a new session says that nothing has run") {
    python_bench bench;
    const ai::json result = bench.result("situation", ai::json::object());
    CHECK(python_bench::text(result, "state") == "nothing has run yet");
    CHECK(python_bench::member(result, "exception").is_null());
    CHECK(ai::bool_member(python_bench::member(result, "changes"), "first") == true);
}

TEST_CASE("situation tells which variables were added, removed, rebound and changed since the previous question") {
    python_bench bench(R"(
class Player: pass
player = Player(); player.health = 40
same, gone, items, score, settings, big = [1], 1, [1, 2], 10, {'a': 1}, list(range(1000))
)");
    CHECK(ai::bool_member(python_bench::member(bench.result("situation", ai::json::object()), "changes"), "first") == true);
    REQUIRE(bench.session
                .exec("player.health -= 1; del gone; items.append(3); score += 1; settings['a'] = 2; new = 'n'; big[-1] = 'last'; _ = 5")
                .ok());
    const ai::json result = bench.result("situation", ai::json::object());
    CHECK(names_of_changes(result, "added") == names{"new"});
    CHECK(names_of_changes(result, "removed") == names{"gone"});
    CHECK(names_of_changes(result, "rebound") == names{"score"});
    CHECK(names_of_changes(result, "changed") == names{"big", "items", "player", "settings"});
    CHECK(python_bench::text(python_bench::member(python_bench::member(result, "changes"), "rebound")[0], "summary") == "11");

    const ai::json quiet = bench.result("situation", ai::json::object());
    for (const char* kind : {"added", "removed", "rebound", "changed"}) {
        CHECK(names_of_changes(quiet, kind).empty());
    }
}

TEST_CASE("each session has a baseline of its own, which keeps no object alive") {
    python_bench one("class A:\n    def __del__(self): deleted.append(1)\ndeleted = []\na = A()");
    python_bench two("b = 1");
    static_cast<void>(one.result("situation", ai::json::object()));
    static_cast<void>(two.result("situation", ai::json::object()));
    REQUIRE(one.session.exec("del a").ok());
    CHECK(one.session.eval("deleted").value == "[1]");
    CHECK(names_of_changes(two.result("situation", ai::json::object()), "added").empty());
    CHECK(names_of_changes(one.result("situation", ai::json::object()), "removed") == names{"a"});
}

TEST_CASE("a situation with much to tell stays below its bound and has the totals") {
    python_bench bench("import sys");
    static_cast<void>(bench.result("situation", ai::json::object()));
    const py::outcome failed = bench.session.exec(
        "globals().update({f'a_rather_long_name_{i}': '\\n\\x00\\u2028' * 300 for i in range(500)})\n"
        "def f(n):\n    a = b = c = d = e = g = '\\x00' * 500\n    print('\\x00' * 5000); print('\\x01' * 5000, file=sys.stderr)\n"
        "    return f(n - 1) if n else {}['\\x00' * 5000]\nf(10)\n#" +
        std::string(5000, 'x'));
    REQUIRE(failed.ending == py::ending::raised);
    const ai::json result = bench.result("situation", ai::json::object());
    CHECK(ai::dump_json(result).size() < 4100);
    CHECK(ai::integer_member(python_bench::member(result, "changes"), "added_total") == 501);
    CHECK(ai::integer_member(python_bench::member(result, "exception"), "frames_total") == 12);
}

TEST_CASE("a namespace with more variables than are compared is told to be compared in part") {
    python_bench bench("globals().update({f'v{i}': i for i in range(20_000)})");
    const ai::json first = python_bench::member(bench.result("situation", ai::json::object()), "changes");
    CHECK(ai::bool_member(first, "names_cut") == true);
    CHECK(ai::integer_member(first, "names_compared") == 10'000);
    const ai::json second = python_bench::member(bench.result("situation", ai::json::object()), "changes");
    CHECK(ai::integer_member(second, "removed_total") == 0);
}

TEST_CASE("situation names the Python threads that run beside the question") {
    python_bench bench(
        "import threading\ngo = threading.Event(); ready = threading.Event()\ndef worker():\n    ready.set(); go.wait()\n"
        "thread = threading.Thread(target=worker); thread.start(); ready.wait()");
    const ai::json threads = python_bench::member(bench.result("situation", ai::json::object()), "threads");
    REQUIRE(bench.session.exec("go.set(); thread.join()").ok());
    REQUIRE(threads.size() == 1);
    CHECK(!python_bench::text(threads[0], "function").empty());
    CHECK(python_bench::member(bench.result("situation", ai::json::object()), "threads").empty());
}
