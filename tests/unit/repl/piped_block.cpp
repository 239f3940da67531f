#include "terminal/piped_block.hpp"

#include "editor_bench.hpp"

#include "catch.hpp"

#include <string>
#include <vector>

namespace {

/// The entries of these lines; an unfinished one at the end has a "+".
std::vector<std::string> entries_of(const std::vector<std::string>& lines) {
    using effect = repl::piped_block::effect;
    const bench_context context;
    repl::piped_block block;
    std::vector<std::string> entries;
    for (const std::string& line : lines) {
        effect what = block.add(line, context);
        if (what == effect::complete_before) {
            entries.push_back(block.take());
            what = block.add(line, context);
        }
        if (what == effect::complete) {
            entries.push_back(block.take());
        }
    }
    if (!block.empty()) {
        entries.push_back(block.take() + "+");
    }
    return entries;
}

using texts = std::vector<std::string>;

}  // namespace

TEST_CASE("a statement on one line is an entry at once") {
    CHECK(entries_of({"x = 1", "y = 2"}) == texts{"x = 1", "y = 2"});
}

TEST_CASE("a piped block may contain empty lines and ends at the next unindented line") {
    CHECK(entries_of({"def f():", "    a", "", "    b", "f()"}) == texts{"def f():\n    a\n\n    b", "f()"});
    CHECK(entries_of({"if x:", "    a", "else:", "    b", "# more", "y"}) == texts{"if x:\n    a\nelse:\n    b\n# more", "y"});
    CHECK(entries_of({"elsewhere = 1"}) == texts{"elsewhere = 1"});
}

TEST_CASE("an unindented line inside brackets or a string belongs to the block") {
    CHECK(entries_of({"if x:", "    s = '''a", "b", "/quit", "'''", "y"}) == texts{"if x:\n    s = '''a\nb\n/quit\n'''", "y"});
    CHECK(entries_of({"x = [1,", "", "2]", "y"}) == texts{"x = [1,\n\n2]", "y"});
}

TEST_CASE("a function follows its decorator") {
    CHECK(entries_of({"@decorate", "def f():", "    a", "f()"}) == texts{"@decorate\ndef f():\n    a", "f()"});
}

TEST_CASE("a command ends a block, and the end of the input leaves it unfinished") {
    CHECK(entries_of({"if x:", "    a", "/vars"}) == texts{"if x:\n    a", "/vars"});
    CHECK(entries_of({"if x:", "    a"}) == texts{"if x:\n    a+"});
}
