#include "python/interpreter/secrets.hpp"

#include "python/snapshot/snapshot.hpp"
#include "python_bench.hpp"

#include <cstdlib>
#include <filesystem>
#include <string>

using namespace bench;

namespace {

std::string value_in_snapshot(py::session& session, const std::string& expression) {
    auto promise = std::make_shared<std::promise<ai::capability_reply>>();
    std::future<ai::capability_reply> reply = promise->get_future();
    py::detail::post_to_snapshot(session, expression, {.deadline = std::chrono::steady_clock::now() + 20s}, {},
                                 [promise](ai::capability_reply value) { promise->set_value(std::move(value)); });
    const ai::capability_reply evaluated = reply.get();
    INFO(ai::dump_json(evaluated.envelope()));
    REQUIRE(evaluated.ok());
    return python_bench::text(evaluated.result, "value_repr");
}

}  // namespace

TEST_CASE("a variable holds a secret if a whole word of its name says so") {
    for (const char* name : {"GEMINI_API_KEY", "GOOGLE_API_KEY", "OPENAI_API_KEY", "github_token", "AWS_SECRET_ACCESS_KEY", "DB_PASSWORD",
                             "PASSWD", "Secret", "MY_CREDENTIALS", "APP_KEY_1", "app.token", "PGPASS_PASS", "DB_PWD"}) {
        INFO(name);
        CHECK(py::detail::names_secret(name));
    }
    for (const char* name :
         {"PATH", "HOME", "KEYBOARD", "MONKEY", "TOKENIZERS_PARALLELISM", "SECRETARY", "PWD", "OLDPWD", "LANG", "", "_"}) {
        INFO(name);
        CHECK(!py::detail::names_secret(name));
    }
}

// Only a new process has the variable in the environment that the kernel has placed.
TEST_CASE("secrets reach neither Python nor a snapshot") {
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").string();
    CHECK(std::system(("PYAICHAT_SAMPLE_TOKEN=s3cr3t PYAICHAT_SAMPLE=public '" + program + "' '[sample-secrets]'").c_str()) == 0);
}

TEST_CASE("a program that was started with a hidden variable", "[.][sample-secrets]") {
    const char* const environment = "open('/proc/self/environ').read()";
    {
        ai::result<py::interpreter> python = py::interpreter::start();
        REQUIRE(python);
        py::session session(*python);
        REQUIRE(session.exec("import os, posix").ok());
        CHECK(session.eval("os.environ.get('PYAICHAT_SAMPLE_TOKEN'), b'PYAICHAT_SAMPLE_TOKEN' in posix.environ").value == "(None, False)");
        CHECK(session.eval("os.environ['PYAICHAT_SAMPLE']").value == "'public'");
        CHECK(std::string(std::getenv("PYAICHAT_SAMPLE_TOKEN")) == "s3cr3t");
        CHECK(session.eval(std::string("'s3cr3t' in ") + environment).value == "True");
        CHECK(value_in_snapshot(session, std::string("'s3cr3t' in ") + environment) == "False");
        CHECK(value_in_snapshot(session, std::string("'PYAICHAT_SAMPLE=public' in ") + environment) == "True");
    }
    ai::result<py::interpreter> python = py::interpreter::start({.keep_secrets = true});
    REQUIRE(python);
    py::session session(*python);
    REQUIRE(session.exec("import os").ok());
    CHECK(session.eval("os.environ['PYAICHAT_SAMPLE_TOKEN']").value == "'s3cr3t'");
    CHECK(value_in_snapshot(session, "'PYAICHAT_SAMPLE_TOKEN' in os.environ") == "False");
    CHECK(session.eval("os.environ['PYAICHAT_SAMPLE_TOKEN']").value == "'s3cr3t'");
    CHECK(std::string(std::getenv("PYAICHAT_SAMPLE_TOKEN")) == "s3cr3t");
}
