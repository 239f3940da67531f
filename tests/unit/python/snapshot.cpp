#include "python/snapshot/snapshot.hpp"

#include "python_bench.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <mutex>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

using namespace bench;

namespace {

using py::detail::snapshot_limits;

struct pending_snapshot {
    ai::cancel_source cancel;
    std::future<ai::capability_reply> reply;
};

pending_snapshot post(py::session& session, const std::string& expression, ai::duration span, snapshot_limits limits = {}) {
    auto promise = std::make_shared<std::promise<ai::capability_reply>>();
    pending_snapshot pending;
    pending.reply = promise->get_future();
    limits.deadline = std::chrono::steady_clock::now() + span;
    py::detail::post_to_snapshot(session, expression, limits, pending.cancel.get_token(),
                                 [promise](ai::capability_reply value) { promise->set_value(std::move(value)); });
    return pending;
}

struct snapshot_bench : python_bench {
    using python_bench::python_bench;

    ai::capability_reply reply(const std::string& expression, ai::duration span = 20s, snapshot_limits limits = {}) {
        return post(session, expression, span, limits).reply.get();
    }
    ai::json evaluate(const std::string& expression) {
        const ai::capability_reply evaluated = reply(expression);
        INFO(expression);
        INFO(ai::dump_json(evaluated.envelope()));
        REQUIRE(evaluated.ok());
        return evaluated.result;
    }
    std::string value(const std::string& expression) { return text(evaluate(expression), "value_repr"); }

    /// The type of the exception that the expression has to raise.
    std::string exception(const std::string& expression) {
        const ai::capability_reply evaluated = reply(expression);
        INFO(expression);
        INFO(ai::dump_json(evaluated.envelope()));
        REQUIRE(evaluated.code == ai::reply_code::python_exception);
        return text(evaluated.details, "exc_type");
    }
    std::string live(const std::string& expression) { return session.eval(expression).value; }
};

/// Statements that return a value: the body of a function that the session defines as `f`.
std::string function(const std::string& body) {
    std::string code = "def f():\n";
    std::istringstream lines(body);
    for (std::string line; std::getline(lines, line);) {
        code += "    " + line + "\n";
    }
    return code;
}

/// A path that no other test program uses.
std::filesystem::path scratch_path(const std::string& name) {
    return std::filesystem::temp_directory_path() / ("pyaichat_" + name + "_" + std::to_string(getpid()));
}

std::string python_text(const std::filesystem::path& path) {
    return "'" + path.string() + "'";
}

std::size_t open_descriptors() {
    std::size_t count = 0;
    for ([[maybe_unused]] const auto& each : std::filesystem::directory_iterator("/proc/self/fd")) {
        ++count;
    }
    return count;
}

bool has_children() {
    siginfo_t status = {};
    return waitid(P_ALL, 0, &status, WEXITED | WNOHANG | WNOWAIT) == 0 || errno != ECHILD;
}

}  // namespace

TEST_CASE("a snapshot evaluates an expression in the session's namespace") {
    snapshot_bench bench("x = [1, 2, 3]\nclass A:\n    def __repr__(self): return 'mine'");
    REQUIRE(py::detail::snapshots_available());
    const ai::json result = bench.evaluate("sum(n * n for n in x)");
    CHECK(bench.text(result, "value_repr") == "14");
    CHECK(bench.member(result, "tier") == 2);
    CHECK(bench.member(result, "ran_user_code") == true);
    CHECK(bench.value("None") == "None");
    CHECK(bench.value("A()").find("mine") == std::string::npos);
    CHECK(bench.value("repr(A())") == "'mine'");
    CHECK(bench.value("'x' * 100000").size() < 4100);
}

TEST_CASE("a snapshot carries its output back, bounded") {
    snapshot_bench bench("import sys");
    const ai::json result = bench.evaluate("print('to out'), print('to err', file=sys.stderr)");
    CHECK(bench.text(result, "stdout") == "to out\n");
    CHECK(bench.text(result, "stderr") == "to err\n");
    CHECK(bench.text(bench.evaluate("print('x' * 10**6)"), "stdout").size() < 9000);
    CHECK(bench.session.exec("pass").out.empty());
}

TEST_CASE("a snapshot carries exceptions back") {
    snapshot_bench bench("def f():\n    print('before')\n    return 1 / 0");
    const ai::capability_reply failed = bench.reply("f()");
    REQUIRE(failed.code == ai::reply_code::python_exception);
    CHECK(bench.text(failed.details, "exc_type") == "ZeroDivisionError");
    CHECK(bench.text(failed.details, "message") == "division by zero");
    CHECK(bench.text(failed.details, "stdout") == "before\n");
    CHECK(bench.text(failed.details, "traceback").find("    return 1 / 0\n") != std::string::npos);
    CHECK(bench.exception("x = 1") == "SyntaxError");
    CHECK(bench.exception("no_such_name") == "NameError");
    CHECK(bench.exception("exit(3)") == "SystemExit");
    CHECK(bench.member(bench.result("get_last_exception", ai::json::object()), "exception").is_null());
}

TEST_CASE("what a snapshot changes in the session stays in the snapshot") {
    snapshot_bench bench("import os, sys\nx = [1]\nclass A: pass\nlive = []\ndef count(): live.append(1); return len(live)");
    CHECK(bench.value("[x.append(2), x][1]") == "[1, 2]");
    CHECK(bench.value("setattr(A, 'y', 1)") == "None");
    CHECK(bench.value("(y := 5)") == "5");
    CHECK(bench.value("count() + count()") == "3");
    CHECK(bench.value("os.environ.update(PYAICHAT_X='1')") == "None");
    CHECK(bench.value("os.chdir('/')") == "None");
    CHECK(bench.live("(x, hasattr(A, 'y'), 'y' in globals(), live, 'PYAICHAT_X' in os.environ)") == "([1], False, False, [], False)");
    CHECK(std::getenv("PYAICHAT_X") == nullptr);
    CHECK(std::filesystem::current_path() != "/");
}

TEST_CASE("hooks of objects run in the snapshot, and none in the live process") {
    snapshot_bench bench(R"py(
trips = []
def hook(name, result):
    def run(self, *arguments):
        trips.append(name)
        return result
    return run
class Meta(type):
    __instancecheck__ = hook('metaclass', True)
class Wired(metaclass=Meta):
    prop = property(hook('property', 1))
    __repr__, __len__, __eq__, __hash__ = hook('repr', 'r'), hook('len', 1), hook('eq', True), hook('hash', 1)
    __getattr__, __iter__, __bool__, __format__ = hook('getattr', 1), hook('iter', iter(())), hook('bool', True), hook('format', 'f')
    __getitem__, __call__, __dir__, __del__ = hook('item', 1), hook('call', 1), hook('dir', []), hook('del', None)
wired = Wired()
)py");
    CHECK(
        bench
            .value(
                "repr(wired), len(wired), wired == 1, {wired: 1}, wired.prop, wired.none, list(wired), bool(wired), f'{wired}', wired[0], "
                "wired(), dir(wired), isinstance(1, Wired), len(set(trips))")
            .ends_with(", 13)"));
    CHECK(bench.live("trips") == "[]");
}

TEST_CASE("a snapshot cannot write to a file of the session, open or not") {
    const std::filesystem::path path = scratch_path("snapshot");
    snapshot_bench bench("import os, shutil, _sqlite3\npath = " + python_text(path) +
                         "\nhandle = open(path, 'w+', buffering=1)\nhandle.write('live\\n')");
    REQUIRE(bench.session.exec(function("handle.write('snapshot')\nhandle.flush()")).ok());
    CHECK(bench.exception("f()") == "OSError");
    CHECK(bench.exception("os.write(handle.fileno(), b'x')") == "OSError");
    CHECK(bench.exception("os.lseek(handle.fileno(), 0, 0)") == "OSError");
    for (const char* change :
         {"open(path, 'w')", "open(path, 'r+')", "open(path, 'a')", "open(path + '.new', 'x')", "os.open(path, os.O_RDONLY | os.O_TRUNC)",
          "os.remove(path)", "os.rename(path, path + '.new')", "os.mkdir(path + '.new')", "os.symlink('x', path + '.new')",
          "os.link(path, path + '.new')", "os.chmod(path, 0)", "os.truncate(path, 0)", "os.utime(path, (0, 0))", "os.mkfifo(path + '.new')",
          "shutil.copy(path, path + '.new')"}) {
        CHECK(bench.exception(change) == "PermissionError");
    }
    CHECK(bench.exception("_sqlite3.connect(path + '.new').execute('create table t (a)')") == "sqlite3.OperationalError");
    CHECK(bench.value("open(path).read()") == "'live\\n'");
    CHECK(bench.live("(handle.tell(), handle.seek(0), handle.read())") == "(5, 0, 'live\\n')");
    CHECK(!std::filesystem::exists(path.string() + ".new"));
    std::filesystem::remove(path);
}

TEST_CASE("a snapshot cannot use an open socket or make a new one") {
    snapshot_bench bench(
        "import socket, os\na, b = socket.socketpair()\nb.setblocking(False)\ndef received():\n"
        "    try: return b.recv(10)\n    except BlockingIOError: return None");
    CHECK(bench.exception("a.send(b'x')") == "PermissionError");
    CHECK(bench.exception("os.write(a.fileno(), b'x')") == "OSError");
    CHECK(bench.live("received()").empty());
    CHECK(bench.exception("socket.socket()") == "PermissionError");
    CHECK(bench.exception("socket.socketpair()") == "PermissionError");
    CHECK(bench.exception("socket.create_connection(('127.0.0.1', 9))") == "PermissionError");
    CHECK(bench.session.exec("a.close(); b.close()").ok());
}

TEST_CASE("a snapshot writes to a copy of shared memory, and not at all to large shared memory") {
    constexpr std::size_t small = 8192;
    constexpr std::size_t large = std::size_t{128} << 20;
    const auto share = [](std::size_t size) {
        return static_cast<char*>(mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0));
    };
    char* few = share(small);
    char* many = share(large);
    REQUIRE(static_cast<void*>(few) != MAP_FAILED);
    REQUIRE(static_cast<void*>(many) != MAP_FAILED);
    few[small - 1] = 'l';
    snapshot_bench bench("import ctypes, mmap\nown = mmap.mmap(-1, 4096)\nown[0] = 1\nfew = (ctypes.c_char * 8192).from_address(" +
                         std::to_string(reinterpret_cast<std::uintptr_t>(few)) + ")\nmany = ctypes.c_char.from_address(" +
                         std::to_string(reinterpret_cast<std::uintptr_t>(many)) + ")");
    REQUIRE(bench.session.exec(function("own[0] = 2\nfew[0] = b's'\nreturn own[0], few[0], few[8191]")).ok());
    CHECK(bench.value("f()") == "(2, b's', b'l')");
    CHECK(bench.live("own[0]") == "1");
    CHECK(few[0] == 0);

    const ai::capability_reply stopped = bench.reply("setattr(many, 'value', b's')");
    CHECK(stopped.code == ai::reply_code::python_exception);
    CHECK(stopped.message.find("signal 11") != std::string::npos);
    CHECK(many[0] == 0);
    CHECK(bench.exception("mmap.mmap(-1, 4096)") == "PermissionError");
    munmap(few, small);
    munmap(many, large);
}

TEST_CASE("pages behind the end of a mapped file do not stop a snapshot") {
    const std::filesystem::path path = scratch_path("short");
    const int file = open(path.c_str(), O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    REQUIRE(file >= 0);
    REQUIRE(write(file, "short", 5) == 5);
    void* mapped = mmap(nullptr, 4 * 4096, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    REQUIRE(mapped != MAP_FAILED);
    snapshot_bench bench;
    CHECK(bench.value("1 + 1") == "2");
    munmap(mapped, 4 * 4096);
    close(file);
    std::filesystem::remove(path);
}

TEST_CASE("a snapshot does not reach a terminal") {
    snapshot_bench bench("import os, pty, select, signal\nmaster, slave = pty.openpty()\nname = os.ttyname(slave)");
    CHECK(bench.exception("os.write(slave, b'x')") == "OSError");
    CHECK(bench.exception("open('/dev/tty')") != "FileNotFoundError");
    CHECK(bench.exception("open(name)") == "PermissionError");
    CHECK(bench.value("os.isatty(0), os.isatty(1), os.isatty(2)") == "(False, False, False)");
    CHECK(bench.value("os.getsid(0) == os.getpid() == os.getpgrp()") == "True");
    CHECK(bench.live("select.select([master], [], [], 0)[0]") == "[]");
    CHECK(bench.session.exec("os.close(master); os.close(slave)").ok());
}

TEST_CASE("endless code of each kind ends at the deadline, and the session goes on") {
    snapshot_bench bench("import itertools, threading, time\nlock = threading.Lock()\nlock.acquire()");
    for (const char* endless : {"any(False for _ in itertools.count())", "sum(range(10**12))", "9**9**9**9", "time.sleep(1000)",
                                "lock.acquire()", "max(itertools.repeat(1))"}) {
        INFO(endless);
        const ai::capability_reply stopped = bench.reply(endless, 300ms);
        INFO(ai::dump_json(stopped.envelope()));
        CHECK(stopped.code == ai::reply_code::timeout);
        CHECK(bench.live("1 + 1") == "2");
    }
}

TEST_CASE("a cancelled snapshot is stopped") {
    snapshot_bench bench("import time");
    pending_snapshot pending = post(bench.session, "time.sleep(1000)", 1000s);
    while (!shared_python().running()) {
        std::this_thread::yield();
    }
    pending.cancel.request_stop();
    CHECK(pending.reply.get().code == ai::reply_code::cancelled);
    CHECK(bench.live("1 + 1") == "2");
}

TEST_CASE("an interpreter can end during a snapshot, and another one can start") {
    end_shared_python();
    pending_snapshot pending;
    {
        ai::result<py::interpreter> python = py::interpreter::start();
        REQUIRE(python);
        py::session session(*python);
        pending = post(session, "__import__('time').sleep(1000)", 1000s);
        while (!python->running()) {
            std::this_thread::yield();
        }
    }
    CHECK(!pending.reply.get().ok());
    CHECK(snapshot_bench().value("1 + 1") == "2");
}

TEST_CASE("a snapshot that needs too much memory fails alone") {
    if (sanitized) {
        WARN("SKIPPED: the sanitizer needs address space without a limit");
        return;
    }
    snapshot_bench bench(function("parts = []\nwhile True: parts.append(bytearray(1 << 20))"));
    for (const char* bomb : {"bytearray(2 << 30)", "'x' * 10**10", "[0] * 10**10", "1 << 10**11", "f()", "list(range(10**9))"}) {
        CHECK(bench.exception(bomb) == "MemoryError");
    }
    CHECK(bench.reply("len(bytearray(100 << 20))", 20s, {.memory = std::size_t{50} << 20}).code == ai::reply_code::python_exception);
    CHECK(bench.value("len(bytearray(100 << 20))") == std::to_string(100 << 20));
}

TEST_CASE("a snapshot that ends without a value says how it ended") {
    snapshot_bench bench("import os, signal, faulthandler");
    const auto message = [&](const char* expression) {
        const ai::capability_reply ended = bench.reply(expression);
        CHECK(ended.code == ai::reply_code::python_exception);
        CHECK(bench.text(ended.details, "exc_type") == "ProcessEnded");
        return ended.message;
    };
    CHECK(message("os._exit(3)").find("exit status 3") != std::string::npos);
    CHECK(message("os.kill(os.getpid(), 9)").find("signal 9") != std::string::npos);
    CHECK(message("os.abort()").find("signal 6") != std::string::npos);
    CHECK(message("faulthandler._sigsegv()").find("signal 11") != std::string::npos);
    CHECK(message("os.closerange(3, 5000)").find("exit status 0") != std::string::npos);
    CHECK(bench.live("1 + 1") == "2");
}

TEST_CASE("a snapshot that floods its parent is stopped") {
    snapshot_bench bench("import os");
    REQUIRE(
        bench.session
            .exec(function("document = max(int(name) for name in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{name}'))\n"
                           "while True: os.write(document, b'x' * 65536)"))
            .ok());
    CHECK(bench.reply("f()").message.find("more than its limit") != std::string::npos);
    REQUIRE(
        bench.session
            .exec(function("document = max(int(name) for name in os.listdir('/proc/self/fd') if os.path.exists(f'/proc/self/fd/{name}'))\n"
                           "os.write(document, b'{\"value_repr\": 5, \"tier\": 0}')\nos._exit(0)"))
            .ok());
    const ai::json forged = bench.evaluate("f()");
    CHECK(bench.member(forged, "tier") == 2);
    CHECK(bench.text(forged, "value_repr").empty());
}

TEST_CASE("no signal handler of the host runs in a snapshot") {
    static volatile std::sig_atomic_t handled;
    handled = 0;
    struct sigaction action = {};
    struct sigaction before = {};
    action.sa_handler = [](int) { handled = 1; };
    sigaction(SIGUSR2, &action, &before);
    snapshot_bench bench("import os, signal");
    CHECK(bench.reply("os.kill(os.getpid(), signal.SIGUSR2)").message.find("signal 12") != std::string::npos);
    CHECK(handled == 0);
    sigaction(SIGUSR2, &before, nullptr);
}

TEST_CASE("ctypes calls are refused, also through functions that the session already has") {
    snapshot_bench bench(
        "import ctypes\ngetpid = ctypes.CDLL(None).getpid\ncall = type(getpid).__call__\n"
        "callback = ctypes.CFUNCTYPE(ctypes.c_int)(lambda: 5)\n"
        "class Own(ctypes._CFuncPtr):\n    _flags_ = 0\n    _restype_ = ctypes.c_int\n"
        "    def __call__(self): return super().__call__()\nown = Own(ctypes.cast(getpid, ctypes.c_void_p).value)");
    REQUIRE(bench.live("(getpid() == call(getpid) == own(), callback())") == "(True, 5)");
    for (const char* refused : {"getpid()", "call(getpid)", "getpid.__call__()", "callback()", "own()", "ctypes.string_at(0)",
                                "ctypes.CDLL(None)", "ctypes.memset(0, 0, 1)", "ctypes.CFUNCTYPE(ctypes.c_int)(callback)()"}) {
        CHECK(bench.exception(refused) == "PermissionError");
    }
    CHECK(bench.live("getpid() > 0") == "True");
    REQUIRE(bench.session.exec(function("import sys\nfor name in ('ctypes', '_ctypes'): sys.modules.pop(name, None)\nimport ctypes")).ok());
    CHECK(bench.exception("f()") == "ImportError");
}

TEST_CASE("a snapshot starts no process and signals none") {
    snapshot_bench bench("import os, signal, subprocess, multiprocessing.util");
    for (const char* refused :
         {"os.fork()", "os.forkpty()", "os.system('true')", "subprocess.run(['true'])", "os.execv('/bin/true', ['true'])",
          "os.posix_spawn('/bin/true', ['true'], {})", "os.kill(os.getppid(), 9)", "os.kill(-1, 0)", "os.killpg(0, 9)",
          "os.pidfd_open(os.getppid())", "os.setuid(1)", "os.nice(1)", "os.sched_setaffinity(os.getppid(), {0})", "os.memfd_create('x')",
          "multiprocessing.Process(target=print).start()", "multiprocessing.util.spawnv_passfds(b'/bin/true', [b'true'], [])"}) {
        CHECK(bench.exception(refused) == "PermissionError");
    }
    CHECK(invoke(bench.session, "eval_expr", about("os.fork()")).message.starts_with("PermissionError: os.fork is refused: "));
}

TEST_CASE("a snapshot cannot look at its host's memory") {
    snapshot_bench bench("import os");
    for (const char* refused : {"open(f'/proc/{os.getppid()}/environ').read()", "open(f'/proc/{os.getppid()}/mem', 'rb').read(1)",
                                "open(f'/proc/self/../{os.getppid()}/environ').read()", "os.readlink(f'/proc/{os.getppid()}/exe')",
                                "os.open('self', os.O_RDONLY, dir_fd=os.open('/proc', os.O_RDONLY))"}) {
        CHECK(bench.exception(refused) == "PermissionError");
    }
    CHECK(bench.value("len(open('/proc/self/maps').read()) > 0") == "True");
}

TEST_CASE("threads and imports work in a snapshot") {
    snapshot_bench bench("import sys, threading, time");
    REQUIRE(bench.session
                .exec(function("values = []\nthreads = [threading.Thread(target=values.append, args=(i,)) for i in range(8)]\n"
                               "for t in threads: t.start()\nfor t in threads: t.join()\nreturn sorted(values)"))
                .ok());
    CHECK(bench.value("f()") == "[0, 1, 2, 3, 4, 5, 6, 7]");
    REQUIRE(bench.session
                .exec(function(
                    "for name in ('_strptime', 'encodings.idna', 'colorsys', 'stringprep', 'concurrent.futures.thread'):\n"
                    "    sys.modules.pop(name, None)\n"
                    "import colorsys, concurrent.futures\nwith concurrent.futures.ThreadPoolExecutor(2) as pool:\n"
                    "    total = sum(pool.map(len, ['a', 'bc']))\n"
                    "return time.strptime('2020', '%Y').tm_year, 'b\\xfccher.de'.encode('idna'), colorsys.rgb_to_hsv(0, 0, 0), total"))
                .ok());
    CHECK(bench.value("f()") == "(2020, b'xn--bcher-kva.de', (0.0, 0.0, 0), 3)");
    CHECK(bench.live("'colorsys' in sys.modules") == "False");
}

TEST_CASE("the hooks of os.register_at_fork do not run in the live process") {
    snapshot_bench bench(
        "import os\nhooks = []\nos.register_at_fork(before=lambda: hooks.append('before'), after_in_parent=lambda: hooks.append('parent'),"
        " after_in_child=lambda: hooks.append('child'))");
    CHECK(bench.value("'child' in hooks") == "True");
    CHECK(bench.live("hooks") == "[]");
}

TEST_CASE("the collector runs in a snapshot, and stays on in the live process") {
    snapshot_bench bench("import gc\nenabled = gc.isenabled");
    CHECK(bench.value("enabled()") == "True");
    CHECK(bench.live("enabled()") == "True");
}

TEST_CASE("snapshots leave no process and no descriptor behind") {
    snapshot_bench bench("import os, time");
    static_cast<void>(bench.reply("1"));
    const std::size_t before = open_descriptors();
    for (const char* expression : {"1", "1 / 0", "os._exit(1)", "time.sleep(1000)"}) {
        static_cast<void>(bench.reply(expression, 200ms));
    }
    CHECK(open_descriptors() == before);
    CHECK(!has_children());
}

TEST_CASE("snapshots work in a host that ignores its children or reaps them itself") {
    snapshot_bench bench("import os");
    const auto previous = std::signal(SIGCHLD, SIG_IGN);
    CHECK(bench.value("6 * 7") == "42");
    CHECK(bench.reply("os._exit(3)").message.find("unknown") != std::string::npos);
    static_cast<void>(std::signal(SIGCHLD, previous));

    std::atomic<bool> stop = false;
    std::thread reaper([&] {
        while (!stop) {
            static_cast<void>(waitpid(-1, nullptr, WNOHANG));
            std::this_thread::yield();
        }
    });
    for (int i = 0; i < 20; ++i) {
        CHECK(bench.value("6 * 7") == "42");
    }
    stop = true;
    reaper.join();
    CHECK(!has_children());
}

TEST_CASE("snapshots work while other threads allocate and hold locks") {
    if (sanitized) {
        WARN("SKIPPED: the allocator of the sanitizer keeps locks in a forked child");
        return;
    }
    snapshot_bench bench(R"py(
import importlib, threading
stop = False
lock = threading.Lock()
def busy(number):
    while not stop:
        with lock:
            kept = {str(i): [i] * 10 for i in range(200)}
        importlib.import_module('json')
        print('noise', number) if number == 0 else None
        t = threading.Thread(target=len, args=([],)); t.start(); t.join()
threads = [threading.Thread(target=busy, args=(i,)) for i in range(4)]
for t in threads: t.start()
)py");
    std::atomic<bool> stop = false;
    std::mutex mutex;
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] {
            while (!stop) {
                const std::lock_guard guard(mutex);
                std::vector<std::string> kept(100, std::string(1000, 'x'));
            }
        });
    }
    int good = 0;
    for (int i = 0; i < 50; ++i) {
        const ai::capability_reply evaluated = bench.reply("sum(len([n] * 3) for n in range(1000)), __import__('textwrap').dedent(' x')");
        INFO(ai::dump_json(evaluated.envelope()));
        CHECK(evaluated.ok());
        good += evaluated.ok() ? 1 : 0;
    }
    CHECK(good == 50);
    stop = true;
    for (std::thread& each : threads) {
        each.join();
    }
    CHECK(bench.session.exec("stop = True\nfor t in threads: t.join()").ok());
}
