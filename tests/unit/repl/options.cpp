#include "options.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace {

repl::ai::result<repl::options> parse(std::vector<std::string> words) {
    std::vector<char*> pointers;
    for (std::string& word : words) {
        pointers.push_back(word.data());
    }
    return repl::parse_options(pointers);
}

}  // namespace

TEST_CASE("plugins are kept in the order in which they were given") {
    const auto chosen = parse({"--plugin", "b.lua", "--plugin=folder", "--ask", "why?"});
    REQUIRE(chosen.has_value());
    CHECK(chosen->plugins == std::vector<std::string>{"b.lua", "folder"});
    CHECK_FALSE(parse({"--plugin="}).has_value());
    CHECK_FALSE(parse({"--plugin"}).has_value());
}

TEST_CASE("a private session is an option without a value") {
    CHECK_FALSE(parse({})->private_session);
    CHECK(parse({"--private"})->private_session);
    CHECK_FALSE(parse({"--private=no"}).has_value());
}

TEST_CASE("the names of --allow add up, and empty ones are none") {
    const auto chosen = parse({"--allow", "a,,b", "--allow=c"});
    REQUIRE(chosen.has_value());
    CHECK(chosen->allow == std::vector<std::string>{"a", "b", "c"});
    CHECK_FALSE(parse({"--allow", ","}).has_value());
}

TEST_CASE("jobs stay in their order, and a dash asks what comes from standard input") {
    const auto chosen = parse({"--exec", "x = 1", "--ask", "-", "--ask=why?"});
    REQUIRE(chosen.has_value());
    REQUIRE(chosen->jobs.size() == 3);
    CHECK(chosen->jobs[0].what == repl::job::kind::exec);
    CHECK(chosen->jobs[1].what == repl::job::kind::ask_lines);
    CHECK(chosen->jobs[2].text == "why?");
}

TEST_CASE("the policy for expressions has its name in the library") {
    for (const char* name : {"structural", "snapshot", "ask", "unrestricted"}) {
        const auto chosen = parse({"--eval-policy", name});
        REQUIRE(chosen.has_value());
        REQUIRE(chosen->expressions);
        CHECK(to_string(*chosen->expressions) == name);
    }
    CHECK_FALSE(parse({})->expressions);
    CHECK_FALSE(parse({"--eval-policy", "none"}).has_value());
    CHECK_FALSE(parse({"--eval-policy="}).has_value());
}

TEST_CASE("the option --attach takes the id of a process") {
    CHECK(parse({"--attach", "4711"})->attach == 4711);
    CHECK_FALSE(parse({"--attach", "python"}).has_value());
    CHECK_FALSE(parse({"--attach=-1"}).has_value());
}

TEST_CASE("what follows the script belongs to it, but for long options of ours that follow it directly") {
    using words = std::vector<std::string>;
    const auto arguments_of = [](const words& line) {
        const auto chosen = parse(line);
        REQUIRE(chosen.has_value());
        CHECK(chosen->script == "a.py");
        return chosen->script_arguments;
    };
    CHECK(arguments_of({"a.py", "x", "--json"}) == words{"x", "--json"});
    CHECK(arguments_of({"a.py", "--json", "--ask", "why?", "--mine", "--json"}) == words{"--mine", "--json"});
    CHECK(arguments_of({"a.py", "--no-color", "--", "--json"}) == words{"--json"});
    CHECK(arguments_of({"a.py", "-P"}) == words{"-P"});
    CHECK(arguments_of({"a.py", "--version", "--help"}) == words{"--version", "--help"});
    CHECK(arguments_of({"--", "a.py", "--json", "--"}) == words{"--json", "--"});
    CHECK(arguments_of({"-P", "a.py"}).empty());
    CHECK(parse({"a.py", "--json", "x"})->json);
    CHECK_FALSE(parse({"a.py", "x", "--json"})->json);
    CHECK_FALSE(parse({"a.py", "--timeout", "soon"}).has_value());
    CHECK_FALSE(parse({""}).has_value());
    CHECK(parse({"--"})->script.empty());
}

TEST_CASE("the option --max-cost takes dollars, and --prices a file") {
    const auto chosen = parse({"--max-cost", "0.50", "--prices=mine.json"});
    REQUIRE(chosen.has_value());
    CHECK(chosen->max_cost == pyaichat::dollars(0.5));
    CHECK(chosen->prices == "mine.json");
    for (const char* value : {"0", "-1", "1e-9", "nan", "inf", "2000000", "$1", "half", ""}) {
        INFO(value);
        const auto refused = parse({"--max-cost", value});
        REQUIRE_FALSE(refused.has_value());
        CHECK(refused.error().message == "--max-cost takes US dollars from 0.000001 to 1000000, such as 0.50");
    }
    CHECK_FALSE(parse({"--prices", ""}).has_value());
}
