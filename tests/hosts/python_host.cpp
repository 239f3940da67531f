// A host that runs Python itself and lets the SDK adopt it: `python_host SCENARIO`. Prints what failed.
#define PY_SSIZE_T_CLEAN
#include <Python.h>

#include <pyaichat/pyaichat.hpp>
#include <pyaichat/python/session.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <deque>
#include <functional>
#include <future>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

namespace {

namespace ai = pyaichat;
namespace py = pyaichat::python;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

int failures = 0;

void check(bool passed, std::string_view what) {
    if (!passed) {
        ++failures;
        std::printf("FAILED: %.*s\n", static_cast<int>(what.size()), what.data());
    }
}

void check_text(const std::string& text, std::string_view part, std::string_view what) {
    if (text.find(part) == std::string::npos) {
        ++failures;
        std::printf("FAILED: %.*s: `%s` is not in `%s`\n", static_cast<int>(what.size()), what.data(), std::string(part).c_str(),
                    text.c_str());
    }
}

/// Runs code of the host in its `__main__`, on any thread.
void host_runs(const std::string& code) {
    const PyGILState_STATE state = PyGILState_Ensure();
    check(PyRun_SimpleString(code.c_str()) == 0, "the host's code runs: " + code);
    PyGILState_Release(state);
}

/// The value of an expression of the host, an integer.
long host_value(const char* expression) {
    const PyGILState_STATE state = PyGILState_Ensure();
    PyObject* names = PyModule_GetDict(PyImport_AddModule("__main__"));
    PyObject* value = PyRun_String(expression, Py_eval_input, names, names);
    const long number = value != nullptr ? PyLong_AsLong(value) : -1;
    Py_XDECREF(value);
    if (PyErr_Occurred() != nullptr) {
        PyErr_Print();
        check(false, std::string("the host's expression has a value: ") + expression);
    }
    PyGILState_Release(state);
    return number;
}

/// The host's Python, with a thread that counts as long as it can have the GIL.
class host {
public:
    host() {
        PyConfig config;
        PyConfig_InitPythonConfig(&config);
        config.install_signal_handlers = 1;
        const PyStatus started = Py_InitializeFromConfig(&config);
        PyConfig_Clear(&config);
        check(PyStatus_Exception(started) == 0, "the host's Python starts");
        state_ = PyEval_SaveThread();
        host_runs(R"py(
import builtins, io, signal, sys, threading, time
health = 40
count = 0
going = True
def counter():
    global count
    while going:
        count += 1
        time.sleep(0.0005)
thread = threading.Thread(target=counter)
thread.start()
heard = io.StringIO()
sys.stdout = heard
class display:
    def __call__(self, value): pass
sys.displayhook = display()
def fingerprint():
    return hash((id(sys.stdout), id(sys.stderr), id(sys.stdin), id(sys.displayhook), id(sys.modules["__main__"]), id(builtins.__dict__),
                 id(signal.signal), id(signal.getsignal(signal.SIGINT)), id(sys.excepthook), id(sys.gettrace()),
                 tuple(sorted(n for n in builtins.__dict__))))
before = fingerprint()
)py");
    }
    ~host() { finalize(); }

    void finalize() {
        if (state_ != nullptr) {
            host_runs("going = False\nthread.join()");
            PyEval_RestoreThread(std::exchange(state_, nullptr));
            check(Py_FinalizeEx() == 0, "the host's Python ends");
        }
    }

    static void check_untouched() { check(host_value("fingerprint() == before") == 1, "nothing of the host's Python has changed"); }

    /// Waits until Python code of the host has run.
    static bool makes_progress() {
        const long before = host_value("count");
        for (const auto until = std::chrono::steady_clock::now() + 10s; std::chrono::steady_clock::now() < until;) {
            if (host_value("count") > before) {
                return true;
            }
            std::this_thread::yield();
        }
        return false;
    }

private:
    PyThreadState* state_ = nullptr;
};

py::interpreter adopted(py::adopt_options options = {}) {
    ai::result<py::interpreter> python = py::interpreter::adopt(std::move(options));
    check(static_cast<bool>(python), "Python is adopted: " + (python ? std::string() : python.error().message));
    return *std::move(python);
}

ai::json about(const std::string& expression) {
    ai::json arguments = ai::json::object();
    arguments["expr"] = expression;
    return arguments;
}

void agent() {
    const host ours;
    py::interpreter python = adopted();
    py::session session(python, {.module = "__main__"});
    fake::scripted_provider model{fake::call("get_repr", about("health")), fake::call("eval_expr", about("health + 2")), fake::say("40")};
    ai::agent agent{ai::borrow(model), {session}};
    const ai::answer answer = agent.ask("How is the health?").wait();
    check(answer.text == "40", "the agent answers");
    const std::vector<ai::model_request> requests = model.requests();
    check(requests.size() == 3, "the model was asked three times");
    std::string replies;
    for (const ai::message& each : requests.back().messages) {
        for (const ai::part& part : each.parts) {
            if (const auto* response = part.as<ai::response_part>()) {
                replies += ai::dump_json(response->response);
            }
        }
    }
    check_text(replies, "\"40\"", "the model sees the host's live variable");
    check_text(replies, "\"42\"", "the model sees the value of its expression");
    host::check_untouched();
}

void gil() {
    const host ours;
    py::interpreter python = adopted();
    py::session session(python);
    check(session.eval("6 * 7").value == "42", "code runs on a thread of the SDK");
    check(session.exec("import sys, threading\nlocal = threading.local()\nlocal.x = 5").ok() && session.eval("local.x").value == "5",
          "thread-local values stay from one piece of work to the next");

    const PyGILState_STATE state = PyGILState_Ensure();
    // The caller holds the GIL: it is released while the caller waits, or this would not end.
    const py::outcome waited =
        session.exec("import __main__, time\nn = __main__.count\nwhile __main__.count < n + 3: time.sleep(0.001)", 20s);
    check(waited.ok(), "the GIL is released while its holder waits: " + waited.why);

    // Here the host holds the GIL and waits for something else: work cannot start, and says why.
    std::promise<py::outcome> promise;
    std::future<py::outcome> ended = promise.get_future();
    session.post("pass", {.time_left = 50ms}, [&](py::outcome value) { promise.set_value(std::move(value)); });
    const py::outcome starved = ended.get();
    check(starved.ending == py::ending::timeout, "work that cannot have the GIL ends at its deadline");
    check_text(starved.why, "GIL was not released", "the reason is named");
    check(!python.running(), "work that waits for the GIL does not count as running");
    PyGILState_Release(state);
    check(session.eval("1").ok(), "Python can be used again");

    // Neither a running piece of work nor its waiting caller stops the threads of the host.
    std::future<py::outcome> busy = std::async(std::launch::async, [&] { return session.exec("gate = threading.Event()\ngate.wait()"); });
    while (!python.running()) {
        std::this_thread::yield();
    }
    check(host::makes_progress(), "threads of the host run while work waits");
    check(session.eval("1", 50ms).ending == py::ending::busy, "work behind running work is busy at its deadline");
    host_runs("for name, module in list(sys.modules.items()):\n    if name.startswith('pyaichat_session_'): module.gate.set()");
    check(busy.get().ok(), "the work ends");

    busy = std::async(std::launch::async, [&] { return session.exec("while True: pass"); });
    while (!python.running()) {
        std::this_thread::yield();
    }
    while (busy.wait_for(20ms) != std::future_status::ready) {
        python.interrupt();  // again, because it has no effect before the code itself has begun
    }
    const py::outcome interrupted = busy.get();
    check(interrupted.ending == py::ending::raised && interrupted.exception->exc_type == "KeyboardInterrupt",
          "an interrupt ends a loop of Python code");
    host::check_untouched();
}

void output() {
    const host ours;
    py::interpreter python = adopted();
    py::session session(python);
    const py::outcome own = session.exec(
        "import sys, threading\nprint('ours')\nprint('to err', file=sys.stderr)\n"
        "t = threading.Thread(target=lambda: print('theirs'))\nt.start()\nt.join()");
    check(own.out == "ours\n" && own.err == "to err\n", "output of the thread that runs the work is captured");
    check(host_value("heard.getvalue() == 'theirs\\n'") == 1, "output of other threads reaches the host");
    check(session.run("6 * 7", {.mode = py::run_mode::interactive}).out == "42\n", "an entry at a prompt is shown");
    check(session.eval("_").value == "42", "and kept in the session");
    check(session.exec("input()").exception->message.find("no standard input") != std::string::npos, "standard input is not the host's");
    host::check_untouched();

    // Code that keeps the stream is captured in later commands, and the host's redirections stay intact.
    check(session.exec("kept = sys.stdout").ok() && session.exec("kept.write('later')").out == "later", "a kept stream is captured later");
    host_runs(
        "import contextlib\nother = io.StringIO()\nentered = threading.Event()\nleave = threading.Event()\n"
        "def redirect():\n    with contextlib.redirect_stdout(other):\n        entered.set(); leave.wait(); print('redirected')\n");
    check(session.exec("import __main__\nr = threading.Thread(target=__main__.redirect)\nr.start()\n__main__.entered.wait()").ok(),
          "a redirection");
    check(session.exec("print('during')").out == "during\n", "output is captured while the host redirects its own");
    check(session.exec("__main__.leave.set()\nr.join()").ok(), "the redirection ends");
    host::check_untouched();  // although the redirection has restored the stream that it found
    check(host_value("other.getvalue() == 'redirected\\n'") == 1, "the host's redirection gets the host's output");
    check(session.exec("print('after')").out == "after\n", "output is captured after that");
    host::check_untouched();
    host_runs("print('end')");
    check(host_value("heard.getvalue() == 'theirs\\nend\\n'") == 1, "the host's stream is the host's");
}

void exceptions() {
    const host ours;
    py::interpreter python = adopted();
    py::session session(python, {.module = "__main__"});
    host_runs(
        "class Door(Exception):\n    ran = 0\n    def __str__(self): Door.ran += 1; return 'ran'\n    __repr__ = __str__\n"
        "def shut(name):\n    raise Door(name)\n"
        "try:\n    shut('oak')\nexcept Door as error:\n    kept = error\n");
    const auto last = [&] {
        fake::scripted_provider model{fake::call("get_last_exception", ai::json::object()), fake::say("done")};
        ai::agent agent{ai::borrow(model), {session}};
        const ai::answer answer = agent.ask("What failed?").wait();
        for (const ai::event& each : answer.events) {
            if (const auto* finished = each.as<ai::call_finished>()) {
                return ai::dump_json(finished->reply.result);
            }
        }
        return std::string();
    };
    check_text(last(), "\"exception\":null", "nothing has failed yet");
    const PyGILState_STATE state = PyGILState_Ensure();
    session.keep_exception(PyDict_GetItemString(PyModule_GetDict(PyImport_AddModule("__main__")), "kept"));
    PyGILState_Release(state);
    const std::string shown = last();
    check_text(shown, "\"message\":\"oak\"", "the message is the argument");
    check_text(shown, "Door", "the type is named");
    check_text(shown, "in shut", "the traceback names the function");
    check_text(shown, "\"name\":\"'oak'\"", "the locals of the frame are shown");
    check(host_value("Door.ran") == 0, "no code of the exception has run");
    session.keep_exception(nullptr);
    check_text(last(), "\"exception\":null", "the exception is forgotten");
}

void namespaces() {
    const host ours;
    py::interpreter python = adopted();
    py::session main(python, {.module = "__main__"});
    check(main.eval("health").value == "40" && main.exec("health = 41").ok() && host_value("health") == 41, "the host's names are shared");
    py::session missing(python, {.module = "game.world"});
    check_text(missing.eval("1").why, "`game.world`", "a module that is not loaded is named");
    host_runs("import types\nsys.modules['game.world'] = types.ModuleType('game.world')\nsys.modules['game.world'].size = 3");
    check(missing.eval("size").value == "3", "it is found once it is loaded");
    {
        py::session one(python);
        py::session two(python);
        check(one.exec("secret = 1\nimport pickle\nclass Point: pass\np = Point()\np.x = 1").ok(), "a namespace");
        check(two.eval("secret").ending == py::ending::raised, "two sessions do not see each other");
        check(two.exec("import pickle\nclass Point: pass").ok(), "a class of the same name");
        check(one.eval("pickle.loads(pickle.dumps(p)).x").value == "1", "classes can be pickled");
        check(one.eval("len.__self__.__dict__ is __import__('builtins').__dict__").value == "True", "the built-in names are shared");
        check(one.eval("__import__('__main__').health").value == "41", "`__main__` is the host's, also for code of a session");
        check(host_value("sum(n.startswith('pyaichat_session_') for n in sys.modules)") == 2, "each is a module");
    }
    check(main.eval("1").ok(), "the release of the sessions has run");
    check(host_value("sum(n.startswith('pyaichat_session_') for n in sys.modules)") == 0, "the modules of ended sessions are gone");
    check(host_value("'health' in globals() and 'game.world' in sys.modules") == 1, "modules of the host stay");
    host::check_untouched();
}

void pumped() {
    const host ours;
    py::interpreter python = adopted({.pumped = true});
    py::session session(python, {.module = "__main__"});
    check(session.eval("threading.current_thread() is threading.main_thread()").value == "True",
          "`run` works on the pumping thread itself");
    check(python.run_pending(1ms) == 0, "there is nothing to do");

    std::future<py::outcome> other = std::async(std::launch::async, [&] { return session.eval("threading.get_native_id()"); });
    while (other.wait_for(0s) != std::future_status::ready) {
        python.run_pending(1ms);
    }
    check(other.get().value == session.eval("threading.get_native_id()").value, "work of other threads runs on the pumping thread");

    const py::outcome late = std::async(std::launch::async, [&] { return session.eval("1", 30ms); }).get();
    check(late.ending == py::ending::timeout, "work that is not pumped ends at its deadline");
    check_text(late.why, "run_pending", "the reason is named");

    int ended = 0;
    for (int i = 0; i < 3; ++i) {
        session.post("health += 1", {}, [&](py::outcome) { ++ended; });
    }
    check(python.run_pending(0s) >= 1, "at least one piece runs, however small the budget is");
    while (python.run_pending(1s) != 0) {
    }
    check(ended == 3 && host_value("health") == 43, "all work has run once");

    session.post("print('inside')",
                 {.output = [&](py::output_stream, std::string_view) { ended += static_cast<int>(python.run_pending(1s)); }},
                 [](py::outcome) {});
    check(python.run_pending(1s) == 1 && ended == 3, "inside of work nothing else is run");

    fake::scripted_provider model{fake::call("get_repr", about("health")), fake::say("43")};
    ai::agent agent{ai::borrow(model), {session}};
    ai::run run = agent.ask("?");
    const PyGILState_STATE state = PyGILState_Ensure();  // as a loop in Python would do it
    // [pumped]
    while (run.pump(1ms) != ai::progress::done) {
        python.run_pending(1ms);
    }
    // [/pumped]
    PyGILState_Release(state);
    check(run.reply().text == "43", "an agent can be pumped beside Python");
    host::check_untouched();
}

/// The host's queue of tasks for its main thread.
struct main_queue {
    void add(ai::task work) {
        const std::lock_guard lock(mutex);
        tasks.push_back(std::move(work));
    }
    std::optional<ai::task> take() {
        const std::lock_guard lock(mutex);
        if (tasks.empty()) {
            return std::nullopt;
        }
        ai::task first = std::move(tasks.front());
        tasks.pop_front();
        return first;
    }
    std::mutex mutex;
    std::deque<ai::task> tasks;
};

void posted() {
    const host ours;
    const auto queue = std::make_shared<main_queue>();
    {
        // [posted]
        const py::adopt_options options = {.post = [queue](ai::task work) { queue->add(std::move(work)); }};
        // [/posted]
        py::interpreter python = adopted(options);
        py::session session(python, {.module = "__main__"});
        std::future<py::outcome> outcome =
            std::async(std::launch::async, [&] { return session.eval("threading.current_thread() is threading.main_thread()"); });
        while (outcome.wait_for(0s) != std::future_status::ready) {
            if (auto work = queue->take()) {
                (*work)();
            }
        }
        check(outcome.get().value == "True", "work runs where the host runs the task");

        outcome = std::async(std::launch::async, [&] { return session.eval("1"); });
        std::optional<ai::task> dropped;
        while (!dropped) {
            dropped = queue->take();
        }
        dropped.reset();
        check_text(outcome.get().why, "destroyed the posted task", "a task that the host destroys refuses its work");

        // Several threads run tasks: the pieces run one after the other, each once.
        host_runs("health = 0");
        std::promise<void> all;
        std::atomic<int> done = 0;
        for (int i = 0; i < 40; ++i) {
            session.post("health += 1", {}, [&](py::outcome) {
                if (++done == 40) {
                    all.set_value();
                }
            });
        }
        std::vector<std::thread> pool;
        for (int i = 0; i < 4; ++i) {
            pool.emplace_back([&] {
                while (auto work = queue->take()) {
                    (*work)();
                }
            });
        }
        for (std::thread& each : pool) {
            each.join();
        }
        all.get_future().get();
        check(host_value("health") == 40, "a pool of threads runs every piece once");
    }
    for (auto work = queue->take(); work; work = queue->take()) {
        (*work)();  // the last one releases the SDK's objects
    }
    {
        py::interpreter python = adopted({.post = [](ai::task work) { work(); }});
        py::session session(python);
        check(session.eval("1 + 1").value == "2", "the host may run a task at once");
    }
    {
        py::interpreter python = adopted({.post = [](ai::task) { throw 1; }});
        py::session session(python);
        check(session.eval("1 + 1").ending == py::ending::unavailable, "a post function that throws refuses the work");
    }
    host::check_untouched();
}

void stuck() {
    const host ours;
    const auto stop_time = [](std::optional<py::interpreter>& python) {
        const auto begin = std::chrono::steady_clock::now();
        python.reset();
        return std::chrono::steady_clock::now() - begin;
    };
    std::optional<py::interpreter> python(adopted());
    std::optional<py::session> session(*python);
    session->post("while True: pass", {}, [](py::outcome) {});
    while (!python->running()) {
        std::this_thread::yield();
    }
    stop_time(python);
    python.emplace(adopted());  // the loop was interrupted, so Python is free again
    session.emplace(*python);
    session->post("import __main__\n__main__.gate = __main__.threading.Event()\n__main__.gate.wait()", {}, [](py::outcome) {});
    while (host_value("'gate' in globals()") == 0) {
        std::this_thread::yield();
    }
    const auto taken = stop_time(python);
    check(taken > 500ms && taken < 3s, "the destructor waits about a second for code that cannot be interrupted");
    ai::result<py::interpreter> refused = py::interpreter::adopt();
    check(!refused, "Python cannot be adopted again while that code runs");
    if (!refused) {
        check_text(refused.error().message, "did not end in time", "the reason is named");
    }
    check_text(session->eval("1").why, "Python has ended", "the session says that it has ended");
    host_runs("gate.set()");
    ai::result<py::interpreter> again = py::interpreter::adopt();
    for (const auto until = std::chrono::steady_clock::now() + 20s; !again && std::chrono::steady_clock::now() < until;) {
        std::this_thread::yield();
        again = py::interpreter::adopt();
    }
    check(static_cast<bool>(again), "Python can be adopted again once the code has ended");
    check(session->eval("1").ending == py::ending::unavailable, "the session belongs to the previous handle");
    host::check_untouched();
}

void finalized() {
    for (const bool pumped : {false, true}) {
        host ours;
        py::interpreter python = adopted({.pumped = pumped});
        py::session session(python);
        check(session.exec("class Loud:\n    def __del__(self): __import__('__main__').health = 99\nx = Loud()").ok(), "a namespace");
        host_runs("import atexit\natexit.register(lambda: None)");
        ours.finalize();
        check(session.eval("1").ending == py::ending::unavailable, "after the end of Python, code is refused");
        check(!python.running() && python.run_pending(1ms) == 0, "nothing runs");
        check(!py::interpreter::adopt(), "Python that has ended cannot be adopted");
    }
    const ai::result<py::interpreter> own = py::interpreter::start();
    check(static_cast<bool>(own), "an interpreter of the SDK can start after that");
    if (own) {
        py::session session(*own);
        check(session.eval("1 + 1").value == "2", "and it works");
    }
}

void refused() {
    const auto message = [](py::adopt_options options = {}) {
        const ai::result<py::interpreter> python = py::interpreter::adopt(std::move(options));
        return python ? std::string("it was adopted") : python.error().message;
    };
    check_text(message(), "not initialized", "a process without Python");
    const host ours;
    check_text(message({.pumped = true, .post = [](ai::task) {}}), "both", "options that exclude each other");
    {
        py::interpreter python = adopted();
        check_text(message(), "already has", "a second adoption");
        const ai::result<py::interpreter> own = py::interpreter::start();
        check(!own && own.error().code == ai::errc::invalid_state, "a start beside an adoption");
    }
    const PyGILState_STATE state = PyGILState_Ensure();
    PyThreadState* main_state = PyThreadState_Get();
    PyThreadState* sub = Py_NewInterpreter();
    check_text(message(), "sub-interpreter", "a sub-interpreter");
    Py_EndInterpreter(sub);
    PyThreadState_Swap(main_state);
    PyGILState_Release(state);
    const ai::result<py::interpreter> own = py::interpreter::start();
    check(!own, "a start beside the host's Python");
    check_text(own ? std::string() : own.error().hint, "adopt", "the hint names the way");
    check_text(message(), "it was adopted", "the refusals leave no trace");
    host::check_untouched();
}

}  // namespace

int main(int count, char** words) {
    std::setvbuf(stdout, nullptr, _IOLBF, 0);
    const std::pair<const char*, void (*)()> scenarios[] = {
        {"agent", &agent},   {"gil", &gil},       {"output", &output}, {"exceptions", &exceptions}, {"namespaces", &namespaces},
        {"pumped", &pumped}, {"posted", &posted}, {"stuck", &stuck},   {"finalized", &finalized},   {"refused", &refused}};
    bool known = false;
    for (const auto& [name, run] : scenarios) {
        if (count == 2 && std::strcmp(words[1], name) == 0) {
            known = true;
            run();
        }
    }
    check(known, "the scenario is known");
    return failures == 0 ? 0 : 1;
}
