#include "python/memory/own_memory_reply.hpp"

#include "python_bench.hpp"

#include <unistd.h>

#include <set>

using namespace bench;

namespace {

/// A session that runs code until the test lets it end.
struct stuck_bench : python_bench {
    /// `code` runs after `end` has become the descriptor whose byte ends it.
    explicit stuck_bench(const std::string& setup, const std::string& code)
        : python_bench("import os, threading\nfrom_test, end = os.pipe()\n" + setup) {
        end_descriptor = std::stoi(session.eval("end").value);
        globals = std::stoull(session.eval("id(globals())").value);
        running = start(session, code);
    }
    ~stuck_bench() {
        release();
        if (running.valid()) {
            running.wait();
        }
    }
    void release() {
        if (end_descriptor >= 0) {
            static_cast<void>(::write(std::exchange(end_descriptor, -1), "x", 1));
        }
    }

    bool still_runs() { return running.wait_for(0s) != std::future_status::ready; }

    int end_descriptor = -1;
    std::uint64_t globals = 0;  ///< the address of the dict
    std::future<py::outcome> running;
};

ai::json stack_arguments() {
    return ai::json::object();
}

/// The frame of a function in a reply of `get_stack`.
const ai::json* find_frame(const ai::json& stack, std::string_view function) {
    const ai::json* threads = ai::find_member(stack, "threads");
    REQUIRE(threads != nullptr);
    for (const ai::json& thread : *threads) {
        for (const ai::json& frame : *ai::find_member(thread, "frames")) {
            if (ai::string_member(frame, "function") == function) {
                return &frame;
            }
        }
    }
    return nullptr;
}

}  // namespace

TEST_CASE("while Python runs one C function, questions about the session are answered") {
    python_bench bench(
        "x = [1, {'a': (None, True)}, 'it\\'s']\nclass Player:\n    def __init__(self): self.health = 40\np = Player()\n"
        "def count(n):\n    label = 'counting'\n    return sum(range(n))");
    std::future<py::outcome> ended = start(bench.session, "count(3 * 10**8)");
    const ai::json printed = bench.look("get_repr", "x");
    CHECK(python_bench::text(printed, "repr") == "[1, {'a': (None, True)}, \"it's\"]");
    CHECK(ai::bool_member(printed, "best_effort") == true);
    CHECK(ai::integer_member(printed, "tier") == 0);
    CHECK(ai::bool_member(printed, "ran_user_code") == false);
    CHECK(python_bench::text(printed, "note").find("count(3 * 10**8) has been running for ") != std::string::npos);
    CHECK(bench.repr("p") == "<Player object with health=40>");
    CHECK(bench.repr("p.health") == "40");
    CHECK(bench.repr("x[1]['a'][-1]") == "True");
    CHECK(python_bench::text(bench.look("get_type", "p"), "qualified") == "Player");

    const ai::json stack = bench.result("get_stack", stack_arguments());
    INFO(ai::dump_json(stack));
    const ai::json* frame = find_frame(stack, "count");
    REQUIRE(frame != nullptr);
    CHECK(ai::find_member(stack, "torn") == nullptr);
    CHECK(ai::string_member(*frame, "c_call") == "sum");
    CHECK(ai::integer_member(*frame, "line") == 7);
    CHECK(python_bench::member(*frame, "locals") == parsed(R"({"n": "300000000", "label": "'counting'"})"));
    const ai::json globals = bench.result("list_globals", ai::json::object());
    CHECK(ai::dump_json(globals).find(R"({"name":"x","summary":"list of 3: [1, {'a': (None, True)}, \"it's\"]","type_name":"list"})") !=
          std::string::npos);
    const ai::capability_reply unknown = invoke(bench.session, "get_repr", about("xx"));
    CHECK(unknown.code == ai::reply_code::python_exception);
    CHECK(unknown.message == "NameError: name 'xx' is not defined; did you mean: x");

    CHECK(ended.wait_for(0s) != std::future_status::ready);
    CHECK(ended.get().ok());
    CHECK_FALSE(ai::bool_member(bench.look("get_repr", "x"), "best_effort"));
}

TEST_CASE("a deadlock is shown: each thread, its name, and the lock that it waits for") {
    stuck_bench bench(R"(
first, second = threading.Lock(), threading.Lock()
second.acquire()
def free():
    os.read(from_test, 1)
    second.release()
def wait_for(lock, reason):
    lock.acquire()
    lock.release()
first.acquire()
other = threading.Thread(target=wait_for, args=(first, 'the other'), name='worker')
other.start()
threading.Thread(target=free, name='helper').start()
)",
                      "wait_for(second, 'this')\nfirst.release()\nother.join()");
    const ai::json stack = bench.result("get_stack", stack_arguments());
    INFO(ai::dump_json(stack));
    CHECK(bench.still_runs());
    CHECK(ai::bool_member(stack, "best_effort") == true);
    std::set<std::string> reasons;
    std::set<std::string> names;
    for (const ai::json& thread : python_bench::member(stack, "threads")) {
        names.insert(python_bench::text(thread, "name"));
        for (const ai::json& frame : python_bench::member(thread, "frames")) {
            if (ai::string_member(frame, "function") == "wait_for") {
                CHECK(ai::string_member(frame, "c_call") == "acquire");
                reasons.insert(python_bench::text(python_bench::member(frame, "locals"), "reason"));
            }
        }
    }
    CHECK(reasons == std::set<std::string>{"'the other'", "'this'"});
    CHECK(names.contains("worker"));
    CHECK(names.contains("helper"));
}

TEST_CASE("the stack is exact while Python is free") {
    python_bench bench(
        "import threading\ngate = threading.Event()\ndef wait(number):\n    gate.wait()\n"
        "waiting = threading.Thread(target=wait, args=(7,))\nwaiting.start()");
    const ai::json stack = bench.result("get_stack", stack_arguments());
    INFO(ai::dump_json(stack));
    CHECK(ai::find_member(stack, "best_effort") == nullptr);
    CHECK(ai::bool_member(stack, "ran_user_code") == false);
    const ai::json* frame = find_frame(stack, "wait");
    REQUIRE(frame != nullptr);
    CHECK(python_bench::member(*frame, "locals") == parsed(R"({"number": "7"})"));
    CHECK(bench.session.exec("gate.set(); waiting.join()").ok());
}

TEST_CASE("memory is read as Python prints it") {
    const std::vector<std::string> values = {"None",
                                             "True",
                                             "...",
                                             "NotImplemented",
                                             "0",
                                             "-5",
                                             "2**30",
                                             "-2**30 + 1",
                                             "2**63",
                                             "-2**64",
                                             "10**500",
                                             "1.0",
                                             "1e100",
                                             "-0.0",
                                             "0.1",
                                             "1e16",
                                             "123456789012345.6",
                                             "1e-5",
                                             "0.0001",
                                             "float('nan')",
                                             "float('-inf')",
                                             "1.5j",
                                             "1+2j",
                                             "''",
                                             "'plain'",
                                             "\"it's\"",
                                             "'both \\' and \"'",
                                             "'\\n\\t\\\\'",
                                             "'\\x00\\x7f\\xa0'",
                                             "'\u00e9 \u6f22 \U0001F600'",
                                             "'\\udc80'",
                                             "b''",
                                             "b'a\\xff\\n'",
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
                                             "len",
                                             "[i for i in range(300)]",
                                             "{str(i): i for i in range(100)}"};
    std::string setup =
        "values, texts = [], []\nlong = 10**100000\nclass Slow:\n    def __init__(self): self.x = 1\n    @property\n    def y(self): "
        "return 2\nslow = Slow()\n";
    for (const std::string& each : values) {
        setup += "values.append(" + each + ")\n";
    }
    python_bench exact(setup + "loop = [1]; loop.append(loop)\nkeys = {1: 'one', True is None: 'no', 'a b': 'text', 2: 'two'}");
    std::vector<std::string> expected;
    const auto path = [](std::size_t i) { return "values[" + std::to_string(i) + "]"; };
    for (std::size_t i = 0; i < values.size(); ++i) {
        expected.push_back(exact.repr(path(i)));
    }
    REQUIRE(exact.session.exec("import os, threading\nfrom_test, end = os.pipe()").ok());
    const int end = std::stoi(exact.session.eval("end").value);
    std::future<py::outcome> running = start(exact.session, "os.read(from_test, 1)");
    for (std::size_t i = 0; i < values.size(); ++i) {
        const ai::json printed = exact.look("get_repr", path(i));
        INFO(values[i]);
        CHECK(ai::bool_member(printed, "best_effort") == true);
        CHECK(python_bench::text(printed, "repr") == expected[i]);
        CHECK(ai::bool_member(printed, "truncated") == false);
    }
    CHECK(exact.repr("long") == "<int of 332193 bits, about 10**99999>");
    CHECK(exact.repr("loop") == "[1, [...]]");
    CHECK(exact.repr("keys[2]") == "'two'");
    CHECK(exact.repr("keys['a b']") == "'text'");
    CHECK(exact.repr("os") == "<module 'os'>");
    CHECK(exact.repr("os.sep") == "'/'");
    CHECK(exact.repr("len") == "<built-in function len>");
    const ai::capability_reply property = invoke(exact.session, "get_repr", about("slow.y"));
    CHECK(property.code == ai::reply_code::not_allowed);
    const ai::json facts = exact.look("inspect", "slow");
    CHECK(python_bench::member(facts, "attributes") == parsed(R"([{"name": "x", "type": "int", "value": "1"}])"));
    REQUIRE(::write(end, "x", 1) == 1);
    CHECK(running.get().ok());
}

TEST_CASE("ten thousand reads of a session that changes at full speed see only values that existed") {
    stuck_bench bench(R"(
stop = []
def wait_for_test():
    os.read(from_test, 1)
    stop.append(1)
threading.Thread(target=wait_for_test).start()
pair, text, record, row, grown = (0, 0), 'a' * 20, {'a': 0, 'b': 0}, [0] * 4, []
class Thing: pass
thing = Thing(); thing.n = 0
)",
                      R"(
n = 0
while not stop:
    n += 1
    pair = (n, n)
    text = chr(97 + n % 26) * 20
    record = {'a': n, 'b': n}
    row = [n] * 4
    grown.append(n)
    if len(grown) > 1000: grown.clear()
    thing = Thing(); thing.n = n
    globals()[f'extra{n % 50}'] = n
)");
    // Read on this thread, without the hand-over to the queue's thread.
    const auto ask = [&](const char* capability, const ai::json& arguments) {
        return py::detail::answer_without_python({.globals = bench.globals, .builtins = 0}, capability, arguments, std::nullopt);
    };
    int agreed = 0;
    for (int i = 0; i < 2500; ++i) {
        for (const char* name : {"pair", "text", "record", "row"}) {
            const ai::capability_reply reply = ask("get_repr", about(name));
            INFO(ai::dump_json(reply.envelope()));
            REQUIRE(reply.ok());
            REQUIRE(ai::bool_member(reply.result, "best_effort") == true);
            const std::string shown = python_bench::text(reply.result, "repr");
            if (ai::bool_member(reply.result, "torn") == true) {
                CHECK(shown == "<changing>");
                continue;
            }
            ++agreed;
            std::set<std::string> numbers;
            std::string number;
            for (const char c : shown + " ") {
                if (c >= '0' && c <= '9') {
                    number += c;
                } else if (!number.empty()) {
                    numbers.insert(std::exchange(number, {}));
                }
            }
            if (name == std::string_view("text")) {
                CHECK(shown == "'" + std::string(20, shown[1]) + "'");
            } else {
                CHECK(numbers.size() == 1);
                CHECK(shown == (name == std::string_view("pair")  ? "(" + *numbers.begin() + ", " + *numbers.begin() + ")"
                                : name == std::string_view("row") ? "[" + *numbers.begin() + ", " + *numbers.begin() + ", " +
                                                                        *numbers.begin() + ", " + *numbers.begin() + "]"
                                                                  : "{'a': " + *numbers.begin() + ", 'b': " + *numbers.begin() + "}"));
            }
        }
        if (i % 25 == 0) {
            for (const char* capability : {"list_globals", "get_stack"}) {
                CHECK(ask(capability, ai::json::object()).ok());
            }
            for (const char* name : {"grown", "thing", "extra7"}) {
                CHECK(ask("inspect", about(name)).code != ai::reply_code::internal);
            }
        }
    }
    CHECK(bench.still_runs());
    INFO(agreed << " reads agreed");
    CHECK(agreed > 0);
}
