#include "python/interpreter/audit_guard.hpp"

#include "python_bench.hpp"

#include <optional>
#include <string>

using namespace bench;

namespace {

using py::detail::audit_guard;
using py::detail::audit_mode;

/// Runs statements on Python's thread under a guard and returns the type of the exception that they raise, or "". The observer of the
/// output runs on that thread, so it creates and removes the guard.
std::string under_guard(py::session& session, audit_mode mode, const std::string& statement) {
    std::optional<audit_guard> guard;
    const std::string code = "ending = ''\nprint('begin', end='')\ntry:\n    " + statement +
                             "\nexcept BaseException as error:\n    ending = type(error).__name__\nfinally:\n    print('end', end='')\n"
                             "print(ending, end='')";
    const py::outcome ended = session.run(code, {.output = [&](py::output_stream, std::string_view text) {
                                              if (text == "begin") {
                                                  guard.emplace(mode);
                                              } else if (text == "end") {
                                                  guard.reset();
                                              }
                                          }});
    INFO((ended.exception ? ended.exception->traceback : ended.why));
    REQUIRE(ended.ok());
    REQUIRE(ended.out.starts_with("beginend"));
    return ended.out.substr(std::string_view("beginend").size());
}

const char* const prepared =
    "import os, socket, subprocess, sys, shutil, ctypes, io\nsys.modules.pop('sched', None)\n"
    "getpid = ctypes.CDLL(None).getpid\nclass Path:\n    def __fspath__(self): return '/etc/passwd'";

}  // namespace

TEST_CASE("looking opens nothing, connects nowhere, starts nothing and imports nothing") {
    python_bench bench(prepared);
    for (const char* refused :
         {"open('/etc/passwd')", "open('/tmp/pyaichat_no_such', 'w')", "os.open('/etc/passwd', os.O_RDONLY)", "io.FileIO('/etc/passwd')",
          "os.listdir('/')", "os.remove('/tmp/pyaichat_no_such')", "os.putenv('A', 'b')", "socket.socket()", "subprocess.run(['true'])",
          "os.system('true')", "os.fork()", "os.kill(os.getpid(), 0)", "ctypes.CDLL(None)", "ctypes.string_at(0)", "import sched",
          "shutil.copy('/etc/passwd', '/tmp/pyaichat_no_such')", "sys.audit('own')", "breakpoint()"}) {
        INFO(refused);
        CHECK(under_guard(bench.session, audit_mode::look, refused) == "PermissionError");
    }
    for (const char* allowed :
         {"pass", "id(1)", "sys._getframe()", "compile('1', 'f', 'eval')", "eval('1')", "import os", "getattr(getpid, '__name__')"}) {
        INFO(allowed);
        CHECK(under_guard(bench.session, audit_mode::look, allowed).empty());
    }
}

TEST_CASE("a snapshot's guard allows to read files and to import, but no more") {
    python_bench bench(prepared);
    for (const char* refused :
         {"open('/tmp/pyaichat_no_such', 'w')", "open('/etc/passwd', 'r+')", "os.open('/etc/passwd', os.O_WRONLY)", "open('/dev/zero')",
          "open('/proc/1/environ')", "io.FileIO(Path())", "os.remove('/tmp/pyaichat_no_such')", "socket.socket()", "os.fork()",
          "subprocess.run(['true'])", "os.kill(1, 0)", "ctypes.CDLL(None)", "shutil.rmtree('/tmp/pyaichat_no_such')"}) {
        INFO(refused);
        CHECK(under_guard(bench.session, audit_mode::snapshot, refused) == "PermissionError");
    }
    for (const char* allowed : {"open('/etc/passwd').close()", "open(b'/etc/passwd').close()", "open(Path()).close()", "os.listdir('/')",
                                "os.close(os.open('/etc', os.O_RDONLY))", "open('/proc/self/stat').close()", "os.kill(os.getpid(), 0)",
                                "open('/dev/urandom', 'rb').close()", "import sched"}) {
        INFO(allowed);
        CHECK(under_guard(bench.session, audit_mode::snapshot, allowed).empty());
    }
    CHECK(under_guard(bench.session, audit_mode::snapshot, "open('/no/such/file')") == "FileNotFoundError");
}

TEST_CASE("the audit hook refuses only what its own thread does, and only under a guard") {
    python_bench bench(std::string(prepared) +
                       "\nimport threading\ngo, done, error = threading.Event(), threading.Event(), []\n"
                       "def other():\n    go.wait()\n    try: open('/etc/passwd').close()\n    except BaseException as e: error.append(e)\n"
                       "    done.set()\nthreading.Thread(target=other).start()");
    CHECK(under_guard(bench.session, audit_mode::look, "go.set(); done.wait()").empty());
    CHECK(bench.session.eval("error").value == "[]");
    CHECK(under_guard(bench.session, audit_mode::off, "open('/etc/passwd').close()").empty());
}
