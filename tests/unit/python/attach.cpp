#include <pyaichat/python/attach.hpp>

#include "python_bench.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

using namespace bench;

namespace {

/// A Python program that runs as a process of its own. It writes a line when it is ready.
struct python_program {
    python_program(const std::string& python, const std::string& code) {
        int ends[2] = {};
        REQUIRE(pipe(ends) == 0);
        process = fork();
        if (process == 0) {
            dup2(ends[1], STDOUT_FILENO);
            close(ends[0]);
            execl(python.c_str(), "python", "-I", "-u", "-c", code.c_str(), static_cast<char*>(nullptr));
            _exit(127);
        }
        close(ends[1]);
        char byte = 0;
        output = ends[0];
        ready = read(output, &byte, 1) == 1;
    }
    ~python_program() {
        kill(process, SIGKILL);
        waitpid(process, nullptr, 0);
        close(output);
    }
    python_program(const python_program&) = delete;
    python_program& operator=(const python_program&) = delete;

    pid_t process = -1;
    int output = -1;
    bool ready = false;
};

/// The path of an installed CPython 3.13, or empty.
std::string find_python_3_13() {
    const char* const code = "import sys; raise SystemExit(sys.version_info[:2] != (3, 13))";
    std::vector<std::string> candidates;
    if (const char* named = std::getenv("PYAICHAT_TEST_PYTHON_3_13")) {
        candidates.emplace_back(named);
    }
    candidates.insert(candidates.end(), {"/usr/bin/python3.13", "/usr/local/bin/python3.13", "/usr/bin/python3"});
    // A shim on the PATH starts another process, so the program that runs in the end is taken.
    const std::string query = "python3.13 -I -c 'import sys, os; print(os.path.realpath(sys.executable))' 2>/dev/null";
    if (FILE* output = popen(query.c_str(), "r")) {
        char line[4096] = {};
        if (std::fgets(line, sizeof line, output) != nullptr) {
            candidates.emplace_back(std::string(line).substr(0, std::string(line).find('\n')));
        }
        pclose(output);
    }
    for (const std::string& each : candidates) {
        if (access(each.c_str(), X_OK) == 0 && std::system((each + " -I -c '" + code + "' 2>/dev/null").c_str()) == 0) {
            return each;
        }
    }
    return {};
}

ai::capability_reply ask(py::attached_process& process, const std::string& name, ai::json arguments) {
    std::promise<ai::capability_reply> promise;
    ai::capability_call call;
    call.name = name;
    call.arguments = std::move(arguments);
    process.invoke(call, ai::capability_responder([&](ai::capability_reply value) { promise.set_value(std::move(value)); }));
    return promise.get_future().get();
}

}  // namespace

static_assert(ai::capability_source<py::attached_process>);

TEST_CASE("another process is read with the table of offsets that it has") {
    const std::string python = find_python_3_13();
    if (python.empty()) {
        WARN("SKIPPED: no CPython 3.13 is installed");
        return;
    }
    const python_program program(python, R"(
import threading
class Player:
    def __init__(self): self.health = 40; self.items = ['key']
numbers = [1, -2**70, 0.5, 1e100, None, True, b'a', 'it\'s', 'é漢😀', (1,), {'k': {2}}, frozenset(), range(3)]
p = Player()
many = {str(i): i for i in range(1000)}
def work(n):
    label = 'busy'
    print('ready')
    return sum(range(n))
work(10**12)
)");
    REQUIRE(program.ready);
    ai::result<py::attached_process> attached = py::attach(program.process);
    INFO((attached ? "" : attached.error().message));
    REQUIRE(attached);
    CHECK(attached->name().starts_with("process " + std::to_string(program.process) + " ("));
    CHECK(attached->specs()->size() == 6);
    const auto repr = [&](const char* expression) {
        const ai::capability_reply reply = ask(*attached, "get_repr", about(expression));
        INFO(ai::dump_json(reply.envelope()));
        CHECK(ai::bool_member(reply.result, "best_effort") == true);
        return std::string(ai::string_member(reply.result, "repr").value_or("?"));
    };
    CHECK(repr("numbers") ==
          "[1, -1180591620717411303424, 0.5, 1e+100, None, True, b'a', \"it's\", 'é漢😀', (1,), {'k': {2}}, frozenset(), range(0, 3)]");
    CHECK(repr("p") == "<Player object with health=40, items=['key']>");
    CHECK(repr("p.items[0]") == "'key'");
    CHECK(repr("many['999']") == "999");
    CHECK(repr("work") == "<function work>");
    const ai::capability_reply globals = ask(*attached, "list_globals", parsed(R"({"filter": "p*"})"));
    CHECK(ai::dump_json(globals.result)
              .find(R"("name":"p","summary":"<Player object with health=40, items=['key']>","type_name":"Player")") != std::string::npos);
    // The program prints before it calls `sum`, so this may have to be asked again.
    std::string stack;
    for (int i = 0; i < 1000 && stack.find("\"c_call\":\"sum\"") == std::string::npos; ++i) {
        stack = ai::dump_json(ask(*attached, "get_stack", ai::json::object()).result);
    }
    INFO(stack);
    CHECK(stack.find(R"("c_call":"sum")") != std::string::npos);
    CHECK(stack.find(R"("function":"work")") != std::string::npos);
    CHECK(stack.find(R"("label":"'busy'")") != std::string::npos);
    CHECK(ask(*attached, "eval_expr", about("1")).code == ai::reply_code::unknown_function);
}

TEST_CASE("a process that cannot be read says why, and what to do") {
    const ai::result<py::attached_process> missing = py::attach(-1);
    REQUIRE_FALSE(missing);
    CHECK(missing.error().code == ai::errc::not_found);
    CHECK(missing.error().message == "process -1 does not exist");

    const pid_t sleeper = fork();
    if (sleeper == 0) {
        execl("/bin/sleep", "sleep", "100", static_cast<char*>(nullptr));
        _exit(127);
    }
    ai::result<py::attached_process> other = py::attach(sleeper);
    // Between fork and exec, the child is still this program, which has a Python.
    for (int i = 0; i < 100'000 && !other && other.error().message.find("/sleep)") == std::string::npos; ++i) {
        other = py::attach(sleeper);
    }
    kill(sleeper, SIGKILL);
    waitpid(sleeper, nullptr, 0);
    REQUIRE_FALSE(other);
    CHECK(other.error().code == ai::errc::not_found);
    CHECK(other.error().message.find("has no CPython") != std::string::npos);
    CHECK_FALSE(other.error().hint.empty());
}

TEST_CASE("a Python that is older than 3.13 is refused with its version") {
    const py::interpreter& python = shared_python();
    const ai::result<py::attached_process> own = py::attach(getpid());
    if (python.version() >= "3.13") {
        CHECK(own);
        return;
    }
    REQUIRE_FALSE(own);
    CHECK(own.error().code == ai::errc::not_allowed);
    CHECK(own.error().message == "Python " + python.version() + " has no table of offsets, so it cannot be read from outside");
}
