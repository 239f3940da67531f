#include <pyaichat/python/session.hpp>

#include "python_bench.hpp"

#include <thread>

#include <pyaichat/policy/capability_source.hpp>

#include <mutex>

using namespace bench;

static_assert(ai::capability_source<py::session>);

namespace {

py::outcome enter(py::session& session, const std::string& code) {
    return session.run(code, {.mode = py::run_mode::interactive});
}

}  // namespace

TEST_CASE("names that one command defines are there for the next") {
    python_bench bench("x = 20");
    CHECK(bench.session.exec("x += 22").ok());
    CHECK(bench.session.eval("x").value == "42");
    CHECK(bench.session.eval("None").value.empty());
}

TEST_CASE("what a command writes to either stream is captured") {
    python_bench bench("import sys");
    const py::outcome ended = bench.session.exec("print('to out'); print('to err', file=sys.stderr); sys.stdout.buffer.write(b'bytes')");
    CHECK(ended.out == "to out\nbytes");
    CHECK(ended.err == "to err\n");
    CHECK(bench.session.exec("pass").out.empty());
}

TEST_CASE("output is kept to a bound, with a note, and seen live beyond it") {
    python_bench bench;
    std::size_t live = 0;
    const py::outcome ended = bench.session.run("for _ in range(40): print('x' * 65535)",
                                                {.output = [&](py::output_stream, std::string_view text) { live += text.size(); }});
    CHECK(live == 40 * 65536);
    CHECK(ended.out.size() < (std::size_t{1} << 20) + 200);
    CHECK(ended.out.find(" bytes left out]") != std::string::npos);
}

TEST_CASE("lone surrogates in output do not hurt") {
    python_bench bench;
    CHECK(bench.session.exec("print('a\\udc80b')").out == "a\\udc80b\n");
}

TEST_CASE("an uncaught exception is an outcome, with the traceback that Python prints") {
    python_bench bench;
    const py::outcome ended = bench.session.exec("def f():\n    return 1 / 0\nf()");
    REQUIRE(ended.ending == py::ending::raised);
    CHECK(ended.exception->exc_type == "ZeroDivisionError");
    CHECK(ended.exception->message == "division by zero");
    CHECK(ended.exception->traceback.find("    return 1 / 0\n") != std::string::npos);
    CHECK(ended.exception->traceback.find("pyaichat") == std::string::npos);
    CHECK(bench.session.eval("1 + 1").value == "2");
}

TEST_CASE("SystemExit ends the command, not the host") {
    python_bench bench("import sys");
    CHECK(bench.session.exec("sys.exit(3)").exit_status == 3);
    CHECK(bench.session.exec("sys.exit()").exit_status == 0);
    const py::outcome ended = bench.session.exec("raise SystemExit('why')");
    CHECK(ended.ending == py::ending::exited);
    CHECK(ended.exit_status == 1);
    CHECK(ended.exception->message == "why");
    CHECK(bench.session.exec("class E(SystemExit):\n    code = property(lambda self: 1 / 0)\nraise E()").ending == py::ending::exited);
    CHECK(bench.session.eval("1").ok());
}

TEST_CASE("an exception whose own text fails is reported all the same") {
    python_bench bench("class Bad(Exception):\n    def __str__(self): raise ValueError('no')");
    const py::outcome ended = bench.session.exec("raise Bad()");
    REQUIRE(ended.ending == py::ending::raised);
    CHECK(ended.exception->exc_type == "Bad");
    CHECK(!ended.exception->message.empty());
}

TEST_CASE("endless recursion and memory that is not there are ordinary exceptions") {
    python_bench bench;
    CHECK(bench.session.exec("def f(): f()\nf()").exception->exc_type == "RecursionError");
    CHECK(bench.session.exec("bytearray(1 << 60)").exception->exc_type == "MemoryError");
    CHECK(!bench.session.exec(std::string(100'000, '(')).ok());
    CHECK(!bench.session.exec(std::string("x = 1\0y", 7)).ok());
    CHECK(bench.session.exec("x = '\xff'").ok());
}

TEST_CASE("an entry at a prompt shows the value of an expression and keeps it") {
    python_bench bench;
    CHECK(enter(bench.session, "6 * 7").out == "42\n");
    CHECK(enter(bench.session, "_ + 1").out == "43\n");
    CHECK(enter(bench.session, "None").out.empty());
    CHECK(enter(bench.session, "x = 5").out.empty());
    CHECK(enter(bench.session, "a = 1\nb = 2\na + b").out == "3\n");
}

TEST_CASE("the beginning of a block asks for more") {
    python_bench bench;
    CHECK(enter(bench.session, "def f():").ending == py::ending::incomplete);
    CHECK(enter(bench.session, "def f():\n    return 5").ending == py::ending::incomplete);
    CHECK(enter(bench.session, "def f():\n    return 5\n").ok());
    CHECK(enter(bench.session, "(1,").ending == py::ending::incomplete);
    CHECK(enter(bench.session, "f()").out == "5\n");
    CHECK(enter(bench.session, "from __future__ import annotations").ok());
    CHECK(enter(bench.session, "def g(x: no_such_name): pass\n").ok());
}

TEST_CASE("a syntax error points at the entry and nowhere else") {
    python_bench bench;
    const py::outcome ended = enter(bench.session, "x = = 2");
    REQUIRE(ended.ending == py::ending::raised);
    CHECK(ended.exception->exc_type == "SyntaxError");
    CHECK(ended.exception->traceback.find("    x = = 2\n") != std::string::npos);
    CHECK(ended.exception->traceback.find("codeop") == std::string::npos);
    CHECK(ended.exception->traceback.find("During handling") == std::string::npos);
}

TEST_CASE("standard input is not the host's") {
    python_bench bench;
    const py::outcome ended = enter(bench.session, "input('name? ')");
    CHECK(ended.out == "name? ");
    CHECK(ended.exception->message.find("no standard input") != std::string::npos);
}

TEST_CASE("two sessions do not see each other") {
    python_bench one("secret = 1");
    python_bench two;
    CHECK(two.session.eval("secret").exception->exc_type == "NameError");
    CHECK(enter(one.session, "'mine'").ok());
    CHECK(two.session.eval("_").ending == py::ending::raised);
    CHECK(two.result("list_globals", ai::json::object()).at("total") == 0);
    CHECK(two.result("get_last_exception", ai::json::object()).at("exception") !=
          one.result("get_last_exception", ai::json::object()).at("exception"));
}

TEST_CASE("copies of a session share its names") {
    python_bench bench("x = 1");
    py::session copy = bench.session;
    CHECK(copy.exec("x = 2").ok());
    CHECK(bench.session.eval("x").value == "2");
}

TEST_CASE("classes of the session can be pickled, and dataclasses find their names") {
    python_bench bench("import pickle, dataclasses\n@dataclasses.dataclass\nclass Point:\n    x: 'int' = 1\n");
    CHECK(bench.session.eval("pickle.loads(pickle.dumps(Point(2)))").value == "Point(x=2)");
}

TEST_CASE("work is done in the order in which it was posted") {
    python_bench bench("seen = []");
    std::promise<void> all;
    for (int i = 0; i < 10; ++i) {
        bench.session.post("seen.append(" + std::to_string(i) + ")", {}, [&all, i](py::outcome) {
            if (i == 9) {
                all.set_value();
            }
        });
    }
    all.get_future().get();
    CHECK(bench.session.eval("seen").value == "[0, 1, 2, 3, 4, 5, 6, 7, 8, 9]");
}

TEST_CASE("code that does not end in time is answered at its deadline, and Python is busy until it ends") {
    python_bench bench("import threading\ngate = threading.Event()");
    // The gate is opened from a thread of Python's own: the session itself is busy, which is the point.
    REQUIRE(bench.session.exec("threading.Timer(0.4, gate.set).start()").ok());
    const py::outcome ended = bench.session.exec("gate.wait()", 50ms);
    CHECK(ended.ending == py::ending::timeout);
    const py::outcome next = bench.session.eval("1");
    CHECK(next.ending == py::ending::busy);
    CHECK(next.why.find("gate.wait()") != std::string::npos);
    const std::optional<py::running_work> running = shared_python().running();
    REQUIRE(running);
    CHECK(running->what == "gate.wait()");
    CHECK(running->overdue);
    while (shared_python().running()) {
        std::this_thread::yield();
    }
    CHECK(bench.session.eval("gate.is_set()").value == "True");
}

TEST_CASE("an expression of the model's that nobody waits for is stopped, and Python is usable again") {
    python_bench b("items = [1]", live_expressions);
    CHECK(invoke(b.session, "eval_expr", about("[0 for _ in iter(int, 1)]"), 100ms).code == ai::reply_code::timeout);
    CHECK(invoke(b.session, "get_doc", about("items")).code == ai::reply_code::busy);
    while (shared_python().running()) {
        std::this_thread::yield();
    }
    CHECK(b.result("get_type", about("items"))["name"] == "list");
    CHECK(b.session.eval("1 + 1").value == "2");
}

TEST_CASE("waiting can be given up") {
    python_bench bench("import threading\ngate = threading.Event()");
    std::future<py::outcome> ended = start(bench.session, "gate.wait(0.3)");
    shared_python().give_up();
    const py::outcome given_up = ended.get();
    CHECK(given_up.ending == py::ending::timeout);
    CHECK(given_up.out.starts_with("started"));
    CHECK(bench.session.eval("1").ending == py::ending::busy);
    while (shared_python().running()) {
        std::this_thread::yield();
    }
    CHECK(bench.session.eval("1").ok());
}

TEST_CASE("what a background thread prints between two commands belongs to the next one") {
    python_bench bench(
        "import threading\ndone = threading.Event()\ndef late():\n    go.wait(); print('late'); done.set()\ngo = threading.Event()");
    REQUIRE(bench.session.exec("threading.Thread(target=late).start()").ok());
    const py::outcome ended = bench.session.exec("go.set(); done.wait()");
    CHECK(ended.out == "late\n");
}

TEST_CASE("a session outlives its interpreter, and says that Python is gone") {
    end_shared_python();
    std::optional<py::session> session;
    {
        ai::result<py::interpreter> python = py::interpreter::start();
        REQUIRE(python);
        session.emplace(*python);
        REQUIRE(session->exec("x = 1").ok());
    }
    CHECK(session->eval("x").ending == py::ending::unavailable);
    CHECK(invoke(*session, "get_repr", about("x")).code == ai::reply_code::internal);
}

TEST_CASE("objects of a session are let go of at the end, so that files are written") {
    end_shared_python();
    const std::string file = "pyaichat_session_test.txt";
    {
        ai::result<py::interpreter> python = py::interpreter::start();
        REQUIRE(python);
        py::session session(*python);
        REQUIRE(session.exec("f = open('" + file + "', 'w')\nf.write('kept')").ok());
    }
    std::FILE* written = std::fopen(file.c_str(), "r");
    REQUIRE(written != nullptr);
    char text[8] = {};
    CHECK(std::fread(text, 1, sizeof text, written) == 4);
    CHECK(std::string(text) == "kept");
    std::fclose(written);
    std::remove(file.c_str());
}
