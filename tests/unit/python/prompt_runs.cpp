#include "python_bench.hpp"

#include <unistd.h>

#include <array>
#include <deque>
#include <functional>
#include <future>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

namespace {

using namespace bench;
using py::ending;
using py::input_line;
using py::run_mode;

py::run_options entry_options() {
    return {.mode = run_mode::interactive, .file_name = "<input>", .exception_hooks = true, .top_level_await = true};
}

/// Answers requests for input from a list. Remembers the prompts.
struct typist {
    std::deque<input_line> lines;
    std::vector<std::string> prompts = {};

    std::function<input_line(const std::string&)> reader() {
        return [this](const std::string& prompt) {
            prompts.push_back(prompt);
            if (lines.empty()) {
                return input_line();
            }
            input_line line = lines.front();
            lines.pop_front();
            return line;
        };
    }
};

input_line typed(std::string text) {
    return {.what = input_line::kind::line, .text = std::move(text)};
}

}  // namespace

TEST_CASE("code without an input function gets EOFError from its standard input") {
    python_bench bench("import sys");
    for (const char* code : {"input()", "sys.stdin.readline()", "sys.stdin.read()", "list(sys.stdin)"}) {
        const py::outcome ended = bench.session.exec(code);
        INFO(code);
        REQUIRE(ended.exception);
        CHECK(ended.exception->exc_type == "EOFError");
    }
}

TEST_CASE("standard input reads lines through the input function, in every way of reading") {
    python_bench bench("import sys");
    typist person{.lines = {typed("first"), typed("second"), typed("abc"), typed("bytes"), typed("x"), typed("y"), {}}};
    const py::outcome ended = bench.session.run(
        "print([sys.stdin.readline(), sys.stdin.readline(3), sys.stdin.readline(), sys.stdin.read(2), sys.stdin.readline(),"
        " sys.stdin.buffer.readline(), list(sys.stdin)])",
        {.input = person.reader()});
    INFO((ended.exception ? ended.exception->traceback : std::string()));
    CHECK(ended.out == "['first\\n', 'sec', 'ond\\n', 'ab', 'c\\n', b'bytes\\n', ['x\\n', 'y\\n']]\n");
}

TEST_CASE("an interrupted read raises KeyboardInterrupt, and the next read goes on") {
    python_bench bench("import sys");
    typist person{.lines = {{.what = input_line::kind::interrupted}, typed("next")}};
    const py::outcome ended =
        bench.session.run("try:\n    sys.stdin.readline()\nexcept KeyboardInterrupt:\n    print('stopped')\nprint(sys.stdin.readline())",
                          {.input = person.reader()});
    CHECK(ended.out == "stopped\nnext\n\n");
}

TEST_CASE("the input function belongs to one run") {
    python_bench bench("import sys");
    typist person{.lines = {typed("only")}};
    CHECK(bench.session.run("x = sys.stdin.readline()", {.input = person.reader()}).ok());
    CHECK_FALSE(bench.session.exec("sys.stdin.readline()").ok());
}

TEST_CASE("an entry of several statements shows each value and stops at the first exception") {
    python_bench bench;
    const py::outcome ended =
        bench.session.run("a = 1\na + 1\n\nif a:\n    print('block')\n'text'\n1 / 0\nprint('never')", entry_options());
    CHECK(ended.ending == ending::raised);
    CHECK(ended.out == "2\nblock\n'text'\n");
    REQUIRE(ended.exception);
    CHECK(ended.exception->traceback.find("line 7") != std::string::npos);
    CHECK(ended.exception->traceback.find("    1 / 0\n") != std::string::npos);
}

TEST_CASE("a syntax error anywhere in an entry runs nothing of it") {
    python_bench bench("ran = []");
    CHECK(bench.session.run("ran.append(1)\nx = = 2\n", entry_options()).ending == ending::raised);
    CHECK(bench.session.eval("ran").value == "[]");
}

TEST_CASE("an entry whose last statement is not complete is incomplete") {
    python_bench bench("ran = []");
    for (const char* code : {"ran.append(1)\nif ran:", "ran.append(1)\nx = (1,", "def f():", "ran.append(1)\ndef g():\n    '''text"}) {
        INFO(code);
        CHECK(bench.session.run(code, entry_options()).ending == ending::incomplete);
    }
    CHECK(bench.session.eval("ran").value == "[]");
}

TEST_CASE("a future import of an entry holds in its other statements and in later entries") {
    python_bench bench;
    CHECK(bench.session.run("from __future__ import annotations\ndef f(x: missing): pass\n", entry_options()).ok());
    CHECK(bench.session.run("x = 1\ndef g(x: missing): pass\n", entry_options()).ok());
}

TEST_CASE("entries of thousands of statements run") {
    python_bench bench;
    std::string code;
    for (int i = 0; i < 3000; ++i) {
        code += "x" + std::to_string(i % 100) + " = " + std::to_string(i) + "\n";
    }
    CHECK(bench.session.run(code, entry_options()).ok());
    CHECK(bench.session.eval("x99").value == "2999");
}

TEST_CASE("await works in entries that may, in one event loop") {
    python_bench bench("import asyncio\nasync def f(n):\n    await asyncio.sleep(0)\n    return n");
    CHECK(bench.session.run("await f(42)", entry_options()).out == "42\n");
    CHECK(bench.session.run("loop = asyncio.get_running_loop() if await f(1) else 0", entry_options()).ok());
    CHECK(bench.session.run("loop is asyncio.get_running_loop() and await f(True)", entry_options()).out == "True\n");
    CHECK(bench.session.run("await f(42)", {.mode = run_mode::interactive}).ending == ending::done);  // the session has learned it
    python_bench other("async def f(): pass");
    CHECK(other.session.run("await f()", {.mode = run_mode::interactive}).ending == ending::raised);
}

TEST_CASE("an exception of an awaited entry shows only the frames of the person") {
    python_bench bench("async def f():\n    1 / 0");
    const py::outcome ended = bench.session.run("await f()", entry_options());
    REQUIRE(ended.exception);
    CHECK(ended.exception->traceback.find("asyncio") == std::string::npos);
    CHECK(ended.exception->traceback.find("<input") != std::string::npos);
}

TEST_CASE("a displayed value is a variable by default, and a built-in name if values are numbered") {
    python_bench bench;
    CHECK(bench.session.run("41", entry_options()).out == "41\n");
    CHECK(bench.session.eval("globals()['_']").value == "41");
    py::run_options numbered = entry_options();
    numbered.number_values = true;
    python_bench prompt;
    CHECK(prompt.session.run("'x'", numbered).ok());
    CHECK(prompt.session.run("'y'", numbered).ok());
    CHECK(prompt.session.run("_, __", numbered).out == "('y', 'x')\n");
    CHECK(prompt.session.eval("'_' in globals()").value == "False");
    CHECK(prompt.session
              .exec("import builtins\nfor name in list(vars(builtins)):\n    if name.strip('_0123456789') == '':\n"
                    "        delattr(builtins, name)")
              .ok());
}

TEST_CASE("the last exception is in sys, and the hook of the code shows it") {
    python_bench bench("import sys");
    const py::outcome plain = bench.session.run("1 / 0", entry_options());
    CHECK_FALSE(plain.exception_shown);
    CHECK(bench.session.eval("sys.last_type is ZeroDivisionError and sys.last_traceback.tb_frame.f_code.co_filename").value != "False");
    CHECK(bench.session.exec("sys.excepthook = lambda kind, error, trace: print('hook', error)").ok());
    const py::outcome shown = bench.session.run("1 / 0", entry_options());
    CHECK(shown.exception_shown);
    CHECK(shown.out == "hook division by zero\n");
    CHECK(shown.exception);
    CHECK_FALSE(bench.session.run("1 / 0").exception_shown);
    CHECK(bench.session.exec("sys.excepthook = sys.__excepthook__; del sys.last_value, sys.last_traceback, sys.last_type").ok());
}

TEST_CASE("tracebacks suggest the name that was meant") {
    python_bench bench("counter = 1\nimport math");
    const auto traceback = [&](const char* code) {
        const py::outcome ended = bench.session.exec(code);
        return ended.exception ? ended.exception->traceback : std::string();
    };
    CHECK(traceback("countr").find("Did you mean: 'counter'?") != std::string::npos);
    CHECK(traceback("math.flor").find("Did you mean: 'floor'?") != std::string::npos);
    CHECK(traceback("try:\n    countr\nexcept NameError:\n    math.flor").find("Did you mean: 'counter'?") != std::string::npos);
}

TEST_CASE("output between two commands goes to the background observer, and not to the next command") {
    end_shared_python();
    std::mutex mutex;
    std::string seen;
    {
        ai::result<py::interpreter> python = py::interpreter::start({.background_output = [&](py::output_stream, std::string_view text) {
            const std::lock_guard lock(mutex);
            seen += text;
        }});
        REQUIRE(python);
        py::session session(*python);
        std::array<int, 2> go{};
        REQUIRE(::pipe(go.data()) == 0);
        CHECK(session
                  .exec("import atexit, os, threading\ndef late():\n    os.read(" + std::to_string(go[0]) +
                        ", 1)\n    print('late')\nlater = threading.Thread(target=late)\nlater.start()\natexit.register(print, 'at exit')")
                  .ok());
        REQUIRE(::write(go[1], "g", 1) == 1);  // nothing of the session runs when the thread writes
        const auto has_output = [&] {
            const std::lock_guard lock(mutex);
            return seen.find("late\n") != std::string::npos;
        };
        while (!has_output()) {
            std::this_thread::yield();
        }
        CHECK(session.exec("later.join()").out.empty());
        ::close(go[0]);
        ::close(go[1]);
    }
    const std::lock_guard lock(mutex);
    CHECK(seen == "late\nat exit\n");
}

TEST_CASE("what a command writes after its caller has given up goes to the background observer") {
    end_shared_python();
    std::mutex mutex;
    std::string seen;
    {
        ai::result<py::interpreter> python = py::interpreter::start({.background_output = [&](py::output_stream, std::string_view text) {
            const std::lock_guard lock(mutex);
            seen += text;
        }});
        REQUIRE(python);
        py::session session(*python);
        std::array<int, 2> go{};
        REQUIRE(::pipe(go.data()) == 0);
        std::promise<std::string> refused;
        std::promise<void> begun;
        session.post("import os\nprint('begun')\nos.read(" + std::to_string(go[0]) + ", 1)\nprint('late')",
                     {.output =
                          [&](py::output_stream, std::string_view text) {
                              if (text.find("begun") != std::string_view::npos) {
                                  begun.set_value();
                              }
                          }},
                     [&](py::outcome ended) { refused.set_value(ended.out); });
        begun.get_future().wait();
        python->give_up();
        CHECK(refused.get_future().get().find("begun") != std::string::npos);
        REQUIRE(::write(go[1], "g", 1) == 1);
        const auto has_output = [&] {
            const std::lock_guard lock(mutex);
            return seen.find("late\n") != std::string::npos;
        };
        while (!has_output()) {
            std::this_thread::yield();
        }
        ::close(go[0]);
        ::close(go[1]);
    }
    const std::lock_guard lock(mutex);
    CHECK(seen.ends_with("late\n"));  // the line end of "begun" may come before
}

TEST_CASE("an interpreter with the standard streams answers for their descriptors, and takes its arguments and folders") {
    end_shared_python();
    ai::result<py::interpreter> python =
        py::interpreter::start({.isolated = false, .arguments = {"program", "--flag"}, .import_folders = {""}, .standard_streams = true});
    REQUIRE(python);
    py::session session(*python);
    CHECK(session.exec("import sys").ok());
    CHECK(session.eval("sys.argv, sys.path[0]").value == "(['program', '--flag'], '')");
    CHECK(session.eval("sys.stdin.fileno(), sys.stdout.fileno(), sys.stderr.fileno()").value == "(0, 1, 2)");
    typist person{.lines = {typed("blue")}};
    CHECK(session.run("input('colour? ')", {.mode = run_mode::expression, .input = person.reader()}).value == "'blue'");
    CHECK(person.prompts == std::vector<std::string>{"colour? "});
    CHECK(session.exec("input()").exception->exc_type == "EOFError");
}
