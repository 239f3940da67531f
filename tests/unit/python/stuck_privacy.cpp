#include "python_bench.hpp"

#include <unistd.h>

using namespace bench;

namespace {

/// A session that waits in a function of its own until the test ends.
struct stuck_session : python_bench {
    stuck_session(const std::string& setup, const py::session_options& options, const std::string& code = "os.read(from_test, 1)")
        : python_bench("import os, threading\nfrom_test, end = os.pipe()\n" + setup, options) {
        end_descriptor = std::stoi(session.eval("end").value);
        running = start(session, code);
    }
    ~stuck_session() {
        static_cast<void>(::write(end_descriptor, "x", 1));
        running.wait();
    }

    /// All answers from memory about these expressions, as text.
    std::string replies_about(const std::vector<const char*>& expressions) {
        std::string replies;
        for (const char* name : {"list_globals", "get_stack"}) {
            replies += ai::dump_json(result(name, ai::json::object())) + "\n";
        }
        for (const char* expression : expressions) {
            for (const char* name : {"get_repr", "get_type", "inspect"}) {
                replies += ai::dump_json(invoke(session, name, about(expression)).envelope()) + "\n";
            }
        }
        return replies;
    }

    int end_descriptor = -1;
    std::future<py::outcome> running;
};

bool has_text(const std::string& in, std::string_view text) {
    return in.find(text) != std::string::npos;
}

}  // namespace

TEST_CASE("while Python is stuck, the texts of hidden variables are removed from all replies") {
    stuck_session bench(
        "secret_plan = 'CANARY at dawn'\nsecret_list = [{'when': 'it\\'s CANARY\\n'}, b'CANARY\\xff bytes']\nalias = secret_plan\n"
        "box = ['so: CANARY at dawn', secret_list[0]['when'], secret_list[1]]\n"
        "def wait(text):\n    copy = [text]\n    return os.read(from_test, 1)",
        {.hidden = {"secret_*"}}, "wait(alias)");
    const std::string replies = bench.replies_about({"alias", "box", "box[0]"});
    INFO(replies);
    CHECK_FALSE(has_text(replies, "CANARY"));
    CHECK(has_text(replies, "***(hidden)"));
}

TEST_CASE("while Python is stuck, hidden keys do not count") {
    stuck_session bench("table = {'secret_a': 1, 'secret_b': 2, 'c': 3}", {.hidden = {"secret_*"}});
    const ai::json facts = bench.look("inspect", "table");
    INFO(ai::dump_json(facts));
    CHECK(ai::integer_member(facts, "size") == 1);
    CHECK(ai::integer_member(facts, "items_total") == 1);
    CHECK(ai::string_member(facts, "summary") == "dict of 1: {'c': 3}");
}

TEST_CASE("while Python is stuck, values of an expression that names a secret are masked") {
    stuck_session bench(
        "password, api_keys, passwords = 'CANARY', ['CANARY'], {1: 'CANARY', 'x': b'CANARY'}\nconfig = {'password': 'CANARY'}\n"
        "secrets = None",
        {});
    const std::string replies = bench.replies_about({"password", "api_keys", "api_keys[0]", "passwords", "config", "config['password']"});
    INFO(replies);
    CHECK_FALSE(has_text(replies, "CANARY"));
    CHECK(bench.repr("password") == "'***(named like a secret)'");
    CHECK(bench.repr("secrets") == "None");
}

TEST_CASE("while Python is stuck, no more leaves than the sample") {
    stuck_session bench("numbers, text, raw = list(range(10, 20)), 'abcdefgh', b'abcdefgh'\ntable = {i: [1, 2, 3] for i in range(9)}",
                        {.values = py::values_policy::sample(2)});
    CHECK(bench.repr("numbers") == "[10, 11, ... 8 more]");
    CHECK(bench.repr("text") == "'ab'... 6 more");
    CHECK(bench.repr("raw") == "b'ab'... 6 more");
    CHECK(bench.repr("table") == "{0: [1, 2, ... 1 more], 1: [1, 2, ... 1 more], ... 7 more}");
    CHECK(python_bench::member(bench.look("inspect", "numbers"), "items") == parsed(R"(["10", "11"])"));
}

TEST_CASE("without values, an answer from memory still says that it is one") {
    stuck_session bench("text = 'CANARY'", {.values = py::values_policy::schema()});
    const std::string replies = bench.replies_about({"text"});
    INFO(replies);
    CHECK_FALSE(has_text(replies, "CANARY"));
    const ai::json stack = bench.result("get_stack", ai::json::object());
    CHECK(ai::bool_member(stack, "best_effort") == true);
    CHECK(ai::bool_member(stack, "threads_truncated") == false);
    CHECK(ai::bool_member(python_bench::member(stack, "threads")[0], "holds_gil").has_value());
}
