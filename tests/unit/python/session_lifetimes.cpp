// Sessions side by side, and sessions that live longer than their interpreter.
#include "python_bench.hpp"

#include <unistd.h>

#include <cstdio>
#include <thread>
#include <vector>

using namespace bench;

namespace {

py::interpreter started() {
    ai::result<py::interpreter> python = py::interpreter::start();
    REQUIRE(python);
    return *std::move(python);
}

std::string content_of(const std::string& file) {
    std::FILE* stream = std::fopen(file.c_str(), "r");
    REQUIRE(stream != nullptr);
    char text[64] = {};
    const std::size_t size = std::fread(text, 1, sizeof text, stream);
    std::fclose(stream);
    std::remove(file.c_str());
    return std::string(text, size);
}

}  // namespace

TEST_CASE("each session is `__main__` for its own code: pickling and look-ups find its own classes") {
    python_bench one("import pickle\nclass Point:\n    side = 'one'");
    python_bench two("import pickle\nclass Point:\n    side = 'two'");
    for (int i = 0; i < 3; ++i) {
        for (python_bench* each : {&one, &two}) {
            const std::string side = each == &one ? "'one'" : "'two'";
            CHECK(each->session.eval("pickle.loads(pickle.dumps(Point())).side").value == side);
            CHECK(each->session.eval("__import__('__main__').Point.side").value == side);
            CHECK(each->session.eval("__import__('__main__').__dict__ is globals()").value == "True");
            CHECK(each->session.eval("__import__('sys').modules[Point.__module__].Point is Point").value == "True");
        }
    }
    CHECK(one.session.eval("pickle.loads(" + two.session.eval("pickle.dumps(Point())").value + ").side").value == "'one'");
}

TEST_CASE("a session can show a loaded module, or the first `__main__`") {
    python_bench other("import types, sys\nsys.modules['world'] = types.ModuleType('world')\nsys.modules['world'].size = 3\nmine = 1");
    py::session world(shared_python(), {.module = "world"});
    CHECK(world.eval("size").value == "3");
    CHECK(world.exec("size = 4").ok());
    CHECK(other.session.eval("sys.modules['world'].size").value == "4");
    CHECK(world.eval("__import__('__main__').__dict__ is globals()").value == "False");
    CHECK(other.session.exec("del sys.modules['world']").ok());

    py::session first(shared_python(), {.module = "__main__"});
    py::session again(shared_python(), {.module = "__main__"});
    CHECK(first.exec("shared = 5").ok());
    CHECK(again.eval("shared").value == "5");
    CHECK(first.eval("__import__('__main__').shared").value == "5");
    CHECK(first.eval("mine").ending == py::ending::raised);
    CHECK(first.exec("del shared").ok());
}

TEST_CASE("a module that is not loaded is named, and found once it is loaded") {
    python_bench bench;
    py::session later(shared_python(), {.module = "not_loaded_yet"});
    const py::outcome missing = later.eval("1");
    CHECK(missing.ending == py::ending::unavailable);
    CHECK(missing.why.find("`not_loaded_yet`") != std::string::npos);
    CHECK(invoke(later, "get_repr", about("x")).message.find("`not_loaded_yet`") != std::string::npos);
    REQUIRE(bench.session.exec("import types, sys\nsys.modules['not_loaded_yet'] = types.ModuleType('not_loaded_yet')").ok());
    CHECK(later.eval("__name__").value == "'not_loaded_yet'");
    REQUIRE(bench.session.exec("sys.modules['not_loaded_yet'] = 5").ok());
    CHECK(later.eval("__name__").value == "'not_loaded_yet'");
    py::session no_module(shared_python(), {.module = "not_loaded_yet"});
    CHECK(no_module.eval("1").ending == py::ending::unavailable);
    REQUIRE(bench.session.exec("del sys.modules['not_loaded_yet']").ok());
}

TEST_CASE("objects of a session that ends right before its interpreter are released, so files are written") {
    end_shared_python();
    for (int i = 0; i < 10; ++i) {
        const std::string file = "pyaichat_lifetime_test.txt";
        {
            const py::interpreter python = started();
            py::session session(python);
            REQUIRE(session.exec("f = open('" + file + "', 'w')\nf.write('kept')").ok());
        }
        CHECK(content_of(file) == "kept");
    }
}

TEST_CASE("a session that outlives its interpreter does not reach the next one") {
    end_shared_python();
    std::optional<py::session> old;
    std::optional<py::session> copy;
    {
        const py::interpreter python = started();
        old.emplace(python);
        copy.emplace(*old);
        REQUIRE(old->exec("x = 1").ok());
    }
    const py::interpreter python = started();
    py::session fresh(python);
    REQUIRE(fresh.exec("x = 2").ok());
    CHECK(old->eval("x").ending == py::ending::unavailable);
    CHECK(invoke(*copy, "get_repr", about("x")).code == ai::reply_code::internal);
    std::promise<py::outcome> posted;
    copy->post("x = 3", {}, [&](py::outcome value) { posted.set_value(std::move(value)); });
    CHECK(posted.get_future().get().ending == py::ending::unavailable);
    *old = fresh;  // the last but one owner of the previous namespace
    copy.reset();
    CHECK(old->eval("x").value == "2");
    CHECK(fresh.eval("[i for i in range(3)]").value == "[0, 1, 2]");
}

TEST_CASE("copies of sessions are destroyed on any thread while their interpreter ends") {
    end_shared_python();
    for (int i = 0; i < 5; ++i) {
        std::vector<std::thread> threads;
        {
            const py::interpreter python = started();
            for (int n = 0; n < 4; ++n) {
                py::session session(python);
                REQUIRE(session.exec("class Loud:\n    def __del__(self): [].append(1)\nx = [Loud() for _ in range(100)]").ok());
                threads.emplace_back([session]() mutable {
                    static_cast<void>(session.eval("len(x)"));
                    const py::session copy = session;
                });
            }
        }
        for (std::thread& each : threads) {
            each.join();
        }
    }
    const py::interpreter python = started();
    CHECK(py::session(python).eval("1 + 1").value == "2");
}

TEST_CASE("a session whose last handle is a call that is answered while Python is stuck can be destroyed") {
    python_bench busy("import os\nfrom_test, end = os.pipe()");
    const int end = std::stoi(busy.session.eval("end").value);
    auto short_lived = std::make_unique<py::session>(shared_python());
    REQUIRE(short_lived->exec("x = 1").ok());
    std::future<py::outcome> running = start(busy.session, "os.read(from_test, 1)");
    std::promise<ai::capability_reply> replied;
    ai::capability_call call;
    call.name = "list_globals";
    call.arguments = ai::json::object();
    call.time_left = 20s;
    short_lived->invoke(call, ai::capability_responder([&](ai::capability_reply reply) { replied.set_value(std::move(reply)); }));
    short_lived.reset();
    CHECK(replied.get_future().get().ok());
    REQUIRE(::write(end, "x", 1) == 1);
    CHECK(running.get().ok());
    CHECK(busy.session.eval("1 + 1").value == "2");
}
