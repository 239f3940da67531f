#include "commands/command_table.hpp"

#include "commands/prompt_shortcuts.hpp"

#include "catch.hpp"

#include <algorithm>

TEST_CASE("the help lists every command with one line") {
    const std::vector<std::string> names = repl::command_names();
    CHECK(std::is_sorted(names.begin(), names.end()));
    CHECK(std::adjacent_find(names.begin(), names.end()) == names.end());
    const std::string help = repl::command_help();
    for (const std::string& name : names) {
        CHECK(help.find("\n  " + name + " ") != std::string::npos);
    }
    std::size_t begin = 0;
    for (std::size_t end = help.find('\n'); end != std::string::npos; end = help.find('\n', begin)) {
        CHECK(end - begin < 120);
        begin = end + 1;
    }
}

TEST_CASE("commands complete by their begin, and their arguments as far as they are known") {
    const auto completed = [](std::string_view line) {
        std::vector<std::string> texts;
        for (const repl::completion& each : repl::complete_command(line, line.size(), repl::command_forms()).items) {
            texts.push_back(each.text);
        }
        return texts;
    };
    CHECK(completed("/me") == std::vector<std::string>{"/memory"});
    CHECK(completed("/mo") == std::vector<std::string>{"/mode", "/model"});
    CHECK(completed("/zz").empty());
    CHECK(completed("/memory o") == std::vector<std::string>{"off", "on"});
    CHECK(completed("/eval s") == std::vector<std::string>{"snapshot", "structural"});
}

TEST_CASE("a question mark behind a path asks for its documentation, two for its source") {
    CHECK(repl::read_help_request("len?") == repl::help_request{"len", false});
    CHECK(repl::read_help_request(" a.b[0].c?? ") == repl::help_request{"a.b[0].c", true});
    CHECK(repl::read_help_request("?x") == repl::help_request{"x", false});
    CHECK(repl::read_help_request("d['a b']?") == repl::help_request{"d['a b']", false});
    for (const char* entry : {"x", "?", "", "x???", "what is x?", "f(x)?", "x = 1?", "1?", "'a'?b", "a\nb?", "x?y"}) {
        INFO(entry);
        CHECK_FALSE(repl::read_help_request(entry).has_value());
    }
}

TEST_CASE("a shell command is recognised") {
    CHECK(repl::is_shell_command("!ls"));
    CHECK_FALSE(repl::is_shell_command("x != 1"));
    CHECK(repl::is_shell_command("  ! ls"));
}
