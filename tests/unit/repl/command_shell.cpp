#include "shell/command_shell.hpp"

#include "assistant/call_approval.hpp"

#include "catch.hpp"

#include <deque>

namespace ai = pyaichat;
using kind = ai::call_decision::kind;

namespace {

ai::proposed_call exec(const std::string& command) {
    return {.number = 1, .name = "exec", .arguments = {{"command", command}}, .effects = ai::effects::once, .origin = "shell"};
}

}  // namespace

TEST_CASE("the rules of the session are changed by their texts", "[command_shell]") {
    repl::command_shell shell(true);
    CHECK(shell.change("").value_or("") == "every command is asked about\n");
    CHECK(shell.change("allow git status").value_or("") == "  allowed  git status\n  every other command is asked about\n");
    CHECK(shell.allows(exec("git status -s")));
    CHECK(shell.change("deny git status").value_or("") == "  denied   git status\n  every other command is asked about\n");
    CHECK_FALSE(shell.allows(exec("git status")));
    CHECK(shell.change("forget git status").value_or("") == "every command is asked about\n");
    for (const char* bad : {"forget git status", "allow", "allow ls > x", "permit ls", "deny a; b"}) {
        INFO(bad);
        CHECK_FALSE(shell.change(bad).has_value());
    }
}

TEST_CASE("without --shell nothing is a command of the assistant", "[command_shell]") {
    repl::command_shell shell(false);
    CHECK_FALSE(shell.makes(exec("ls")));
    CHECK(shell.change("allow ls").value_or("").find("--shell") != std::string::npos);
    CHECK_FALSE(shell.allows(exec("ls")));
}

TEST_CASE("the capability judges by the rules as they are when it is asked", "[command_shell]") {
    repl::command_shell shell(true);
    ai::shell source = shell.source();
    const std::vector<ai::proposed_call> calls = {exec("ls")};
    CHECK(source.review(calls).front().what == kind::ask);
    shell.allow({"ls"});
    CHECK(source.review(calls).front().what == kind::allow);
}

TEST_CASE("always allows the rule of a command, and is no answer where there is none", "[command_shell]") {
    repl::command_shell shell(true);
    repl::screen screen({});
    std::deque<std::string> lines = {"always", "always", "no"};
    std::vector<std::string> prompts;
    repl::call_approval approval(
        {},
        [&](const std::string& prompt) {
            prompts.push_back(prompt);
            repl::entry line{.what = repl::entry::kind::text, .text = lines.front()};
            lines.pop_front();
            return line;
        },
        screen, &shell);
    const auto settled = approval.settle({{.call = exec("echo a")}, {.call = exec("echo b")}, {.call = exec("echo c > d")}});
    REQUIRE(settled);
    CHECK((*settled)[0].decision.what == kind::allow);
    CHECK((*settled)[1].decision.what == kind::allow);  // by the rule of the first
    CHECK((*settled)[2].decision.what == kind::deny);
    CHECK(prompts ==
          std::vector<std::string>{"  run it? yes, no, always `echo` (in this session): ", "  run it? yes, no: ", "  run it? yes, no: "});
}

TEST_CASE("rules are listed for a person", "[command_shell]") {
    CHECK(repl::say_rules({"a"}) == "`a`");
    CHECK(repl::say_rules({"a", "b c", "d"}) == "`a`, `b c` and `d`");
}
