#include "python/cursor_context.hpp"

#include "python/entry_names.hpp"

#include "catch.hpp"

#include <string>
#include <string_view>

namespace {

/// The context at the `|` of a text: `attribute x.y | z`.
std::string context(std::string text) {
    static constexpr const char* kinds[] = {"nothing", "name", "attribute", "key", "text", "module", "member"};
    const std::size_t cursor = text.find('|');
    text.erase(cursor, 1);
    const repl::cursor_context found = repl::context_at(text, cursor);
    std::string out = kinds[static_cast<std::size_t>(found.what)];
    if (found.what == repl::cursor_context::kind::nothing) {
        return out;
    }
    out += (found.object.empty() ? "" : " " + found.object) + " | " + found.word;
    out += found.callee.empty() ? "" : " in " + found.callee;
    for (const std::string& each : found.given) {
        out += " -" + each;
    }
    CHECK(found.begin <= cursor);
    return out;
}

std::string object(std::string text) {
    const std::size_t cursor = text.find('|');
    text.erase(cursor, 1);
    return repl::object_at(text, cursor);
}

std::string joined(const std::vector<std::string>& names) {
    std::string out;
    for (const std::string& each : names) {
        out += (out.empty() ? "" : " ") + each;
    }
    return out;
}

}  // namespace

TEST_CASE("the object before a dot may be any expression of names, items, calls and literals") {
    CHECK(context("x.ap|") == "attribute x | ap");
    CHECK(context("y = a.b[0].c('d').|") == "attribute a.b[0].c('d') | ");
    CHECK(context("f(x, \"\".sp|)") == "attribute \"\" | sp");
    CHECK(context("[].ap|") == "attribute [] | ap");
    CHECK(context("x = {}.|") == "attribute {} | ");
    CHECK(context("(a + b).r|") == "attribute (a + b) | r");
    CHECK(context("f'{x}'.up|") == "attribute '' | up");
    CHECK(context("f'{x.a|") == "attribute x | a");
    CHECK(context("if x:\n    y.z|") == "attribute y | z");
    CHECK(context("return x.y|") == "attribute x | y");
    CHECK(context("a + b.c|") == "attribute b | c");
    CHECK(context("x.|y") == "attribute x | ");
    CHECK(context("a .\\\n b|") == "attribute a | b");
}

TEST_CASE("a name may be an argument of the call around it") {
    CHECK(context("pr|") == "name | pr");
    CHECK(context("f(|") == "name |  in f");
    CHECK(context("a.b(x, k=1, na|") == "name | na in a.b -k");
    CHECK(context("f(g(1), na|") == "name | na in f");
    CHECK(context("f(x + na|") == "name | na");
    CHECK(context("(na|") == "name | na");
    CHECK(context("f([na|") == "name | na");
    CHECK(context("if (na|") == "name | na");
    CHECK(context("def f(na|") == "name | na");
}

TEST_CASE("a key is completed after a bracket with an object before it") {
    CHECK(context("d['ke|") == "key d | 'ke");
    CHECK(context("a.d[b\"k|") == "key a.d | b\"k");
    CHECK(context("d[|") == "key d | ");
    CHECK(context("['ke|") == "text | ke");
}

TEST_CASE("a string may have the name of a file") {
    CHECK(context("open('da|") == "text | da");
    CHECK(context("open(r\"a/b|\")") == "text | a/b");
    CHECK(context("f'{x}a|") == "nothing");
    CHECK(context("'''a|") == "nothing");
    CHECK(context("b'a|") == "nothing");
}

TEST_CASE("import statements name modules and their members") {
    CHECK(context("import o|") == "module | o");
    CHECK(context("import a, b.c.d|") == "module b.c | d");
    CHECK(context("x = 1; import o|") == "module | o");
    CHECK(context("if x: import o|") == "module | o");
    CHECK(context("from o|") == "module | o");
    CHECK(context("from a.b|") == "module a | b");
    CHECK(context("from a imp|") == "name | imp");
    CHECK(context("from a.b import c|") == "member a.b | c");
    CHECK(context("from a import (b,\n  c|") == "member a | c");
    CHECK(context("from a import b as c|") == "nothing");
    CHECK(context("from . import c|") == "nothing");
}

TEST_CASE("comments, numbers and new names are not completed") {
    CHECK(context("x # a|") == "nothing");
    CHECK(context("12|") == "nothing");
    CHECK(context("1.|") == "nothing");
    CHECK(context("def f|") == "nothing");
    CHECK(context("class A|") == "nothing");
    CHECK(context("with x as y|") == "nothing");
    CHECK(context("if.x|") == "nothing");
}

TEST_CASE("a description is about the called function, or about the object under the cursor") {
    CHECK(object("f(a, |") == "f");
    CHECK(object("a.b(x[0], g(1)|)") == "a.b");
    CHECK(object("f([1, |") == "f");
    CHECK(object("pri|nt") == "print");
    CHECK(object("a.b|") == "a.b");
    CHECK(object("def f(a|") == "a");
    CHECK(object("|").empty());
    CHECK(object("1 + |").empty());
}

TEST_CASE("the names that source defines are found without running it") {
    CHECK(joined(repl::names_defined_in("a = b, c = 1\nd: int = 2\ne += 1\nx.y = 3\nz[0] = 1")) == "a b c d");
    CHECK(joined(repl::names_defined_in("def f(p, *q, r=s(t=1), **u):\n    v = 1")) == "f p q r u v");
    CHECK(joined(repl::names_defined_in("import os.path, sys as s\nfrom a.b import (c as d, e)")) == "d e os s");
    CHECK(joined(repl::names_defined_in("for i, (j, k) in x:\n    with f() as g: pass\nclass C(D): pass")) == "C g i j k");
    CHECK(joined(repl::names_defined_in("if (n := f()): pass")) == "n");
    CHECK(joined(repl::module_names_in("def f(p):\n    v = 1\nx = 2")) == "f x");
}
