#include <pyaichat/shell/shell_options.hpp>

#include "shell_bench.hpp"

#include <cstdlib>

namespace fs = std::filesystem;

namespace shell_options_tests {

namespace {

/// Sets a variable of the environment while it is alive.
struct variable {
    const char* name;
    variable(const char* key, const char* value) : name(key) { ::setenv(key, value, 1); }
    variable(const variable&) = delete;
    variable& operator=(const variable&) = delete;
    ~variable() { ::unsetenv(name); }
};

ai::shell_options in_folder(const fs::path& folder) {
    return {.folder = folder.string()};
}

ai::json command(const std::string& text) {
    return {{"command", text}};
}

}  // namespace

TEST_CASE("without a terminal, the outputs are apart", "[shell_options]") {
    const ai::capability_reply reply = run({.pty = false}, "echo out; echo err >&2; test -t 1 || exit 4");
    CHECK(reply.result.at("stdout") == "out\n");
    CHECK(reply.result.at("stderr") == "err\n");
    CHECK(reply.result.at("exit_code") == 4);
    CHECK_FALSE(reply.result.contains("output"));
}

TEST_CASE("the terminal has the size of the options", "[shell_options]") {
    CHECK(output_of("stty size </dev/tty", {.columns = 91, .rows = 17}) == "17 91\n");
    CHECK(output_of("echo $TERM") == "dumb\n");
}

TEST_CASE("a command starts in the folder of the options, or in one within the roots", "[shell_options]") {
    const scratch_folder files;
    fs::create_directories(files.path / "inner" / "deep");
    fs::create_directories(files.path / "inner_not");
    fs::create_directory_symlink("/", files.path / "inner" / "out");
    fs::create_directory_symlink(files.path / "inner" / "deep", files.path / "inner" / "in");
    ai::shell shell(in_folder(files.path / "inner"));
    const auto at = [&](const std::string& cwd) { return run(shell, {{"command", "pwd"}, {"cwd", cwd}}); };
    const std::string inner = (files.path / "inner").string();
    CHECK(run(shell, command("pwd")).result.at("output") == inner + "\n");
    CHECK(at("deep").result.at("output") == inner + "/deep\n");
    CHECK(at("in").result.at("output") == inner + "/deep\n");
    CHECK(at("deep/../../inner/deep").result.at("output") == inner + "/deep\n");
    CHECK(at(inner).result.at("output") == inner + "\n");
    for (const std::string bad : {"..", "/", "out", "out/tmp", "deep/../..", "../inner_not", "none"}) {
        INFO(bad);
        CHECK(at(bad).code == ai::reply_code::invalid_args);
    }
    ai::shell two({.folder = inner, .roots = {(files.path / "inner_not").string()}});
    CHECK(run(two, {{"command", "pwd"}, {"cwd", "../inner_not"}}).ok());
    CHECK(run(two, {{"command", "pwd"}, {"cwd", "deep"}}).code == ai::reply_code::invalid_args);
}

TEST_CASE("keys are not in the environment unless they are named", "[shell_options]") {
    const variable key("PYAICHAT_TEST_API_KEY", "hidden");
    const variable token("PYAICHAT_TEST_TOKEN", "hidden");
    const variable named("PYAICHAT_TEST_NAMED", "passed");
    const std::string usual = output_of("env");
    CHECK(usual.find("hidden") == std::string::npos);
    CHECK(usual.find("passed") == std::string::npos);
    CHECK(usual.find("PATH=") != std::string::npos);
    const std::string more = output_of("env", {.variables = {{"EXTRA", "added"}, {"TERM", "vt100"}}, .pass = {"PYAICHAT_TEST_NAMED"}});
    CHECK(more.find("PYAICHAT_TEST_NAMED=passed\n") != std::string::npos);
    CHECK(more.find("EXTRA=added\n") != std::string::npos);
    CHECK(more.find("TERM=vt100\n") != std::string::npos);
    CHECK(more.find("hidden") == std::string::npos);
}

TEST_CASE("limits of the options hold", "[shell_options]") {
    const ai::capability_reply reply = run({.limits = {.cpu_seconds = 1}}, "exec sh -c 'while :; do :; done'");
    CHECK(reply.result.at("signal") == "SIGXCPU");
    CHECK(output_of("ulimit -c; nice", {.limits = {.nice = 3}}) == "0\n3\n");
}

TEST_CASE("without a shell, the words reach the program as they are", "[shell_options]") {
    ai::shell shell({.shell = {}});
    const auto declared = shell.specs();
    REQUIRE(declared);
    CHECK((*declared)[0].parameters.at("required") == ai::json{"argv"});
    CHECK(run(shell, {{"argv", {"printf", "%s|", "a b", "$x", "*"}}}).result.at("output") == "a b|$x|*|");
    const ai::capability_reply missing = run(shell, {{"argv", {"no-such-program"}}});
    CHECK(missing.code == ai::reply_code::invalid_args);
    CHECK(missing.message.find("no-such-program") != std::string::npos);
    CHECK(run(shell, {{"argv", {""}}}).code == ai::reply_code::invalid_args);
}

TEST_CASE("more commands than the options allow at a time are refused", "[shell_options]") {
    ai::shell shell({.max_running = 1});
    running_call first(shell, command("sleep 1000"));
    CHECK(run(shell, command("true")).code == ai::reply_code::busy);
    first.cancel();
    CHECK(first.wait().code == ai::reply_code::cancelled);
    for (int i = 0; i < 20; ++i) {
        CHECK(run(shell, command("true")).ok());
    }
}

}  // namespace shell_options_tests
