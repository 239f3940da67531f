#include "python/entry_state.hpp"

#include "../python/python_bench.hpp"

#include <set>
#include <string>
#include <vector>

namespace {

/// Entries as they are typed at a prompt.
const char* const entries[] = {
    "x = 1",
    "x",
    "",
    "x;",
    "x = 1; y = 2",
    "# a comment",
    "   # a comment",
    "import os, sys",
    "from a import (b,\n  c)",
    "print('a')",
    "x = (1,\n     2)",
    "x = [\n  1,\n\n  2,\n]",
    "x = {\n'a': 1,\n# why?\n'b': 2}",
    "f(a)(\n  b\n)[\n0\n]",
    "x = 1 + \\\n  2",
    "x = \\\n\\\n  3",
    "assert x, \\\n  'a'",
    "x = '''a\nb'''",
    "x = '''a\n   \n\n b'''",
    "x = \"\"\"it's\n\"quoted\"\n\"\"\"",
    "'''a''' '''b\n'''",
    "r'''\\'''",
    "x = 'a\\\nb'",
    "b'abc'",
    "'a' \"b\"",
    "x = 'it\\'s'",
    "f'{x}'",
    "f'{x!r:>{w}}'",
    "f'''{\nx\n}'''",
    "f'''a{x}\nb'''",
    "f'{{}}'",
    "rf'\\d{x}'",
    "lambda: 0",
    "f = lambda x: (\n  x)",
    "f(lambda: {\n 1: 2})",
    "x = [i for i in y\n  if i]",
    "del x",
    "x: int = 3",
    "x: int",
    "d['a']",
    "d[1:2]",
    "d[a:b, c:]",
    "not x",
    "x if y else z",
    "await x",
    "print(*a, **b)",
    "x @= y",
    "(x := 3)",
    "1_000",
    "...",
    "match",
    "match = 3",
    "match(x)",
    "match.x",
    "case = 1",
    "type(x)",
    "_",
    "raise ValueError('a')",
    "global x",
    "return_ = 3",
    "ifx = 3",
    "if x:\n    y\n",
    "if x: y\n",
    "if x:\n    y\nelse:\n    z\n",
    "if x:\n    y\nelif z:\n    w\nelse:\n    v\n",
    "if x: y\nelse: z\n",
    "if (x and\n    y):\n    z\n",
    "if x \\\n  and y:\n    z\n",
    "if x: # why\n    # a comment\n    y\n",
    "if x:\n# a comment\n    y\n# another\n    z\n",
    "if x:\n\n    y\n",
    "if x:\n    y\n    # comment\n",
    "if x:\n\ty\n\tz\n",
    "if x:\n    if y:\n        z\n    w\n",
    "if x:\n    if y:\n        z\n",
    "if x:\n  if y:\n    z\n  else:\n    w\n",
    "if lambda: 0:\n    y\n",
    "if {1: 2}:\n    y\n",
    "if x[1:2]:\n    y\n",
    "if (y := f(x)):\n    y\n",
    "for i in x:\n    y\n",
    "for i in x: y\n",
    "for i in x:\n    y\nelse:\n    z\n",
    "for a, b in c:\n    continue\n",
    "while x:\n    break\n",
    "while x: pass\nelse: pass\n",
    "while True:\n    x = '''\n  a'''\n",
    "while x:\n    f(\n1)\n",
    "try:\n    x\nexcept:\n    y\n",
    "try:\n    x\nexcept E as e:\n    y\nelse:\n    z\nfinally:\n    w\n",
    "try:\n    x\nfinally:\n    y\n",
    "try: x\nexcept: y\n",
    "try:\n    try:\n        x\n    finally:\n        y\nexcept* E:\n    z\n",
    "def f():\n    try:\n        x\n    except E:\n        pass\n",
    "with x:\n    y\n",
    "with x as y, z as w:\n    y\n",
    "with (x as y,\n      z as w):\n    y\n",
    "with open('a') as f: f.read()\n",
    "def f():\n    pass\n",
    "def f(): pass\n",
    "def f(a, b=1, *, c: int = 2) -> int:\n    return a\n",
    "def f(\n    a,\n    b,\n):\n    return a\n",
    "def f():\n    '''Doc.'''\n",
    "def f():\n    '''Doc.\n\n    More.\n    '''\n    return 1\n",
    "def f():\n    return 1\n    # comment\n",
    "def f():\n    x = 1\n\n    return x\n",
    "def f(x: {'a': 1}): pass\n",
    "def f():\n    def g():\n        pass\n    return g\n",
    "def f():\n    yield\n",
    "def f():\n    x = [\n1,\n2]\n    return x\n",
    "def f():\n    return (1 +\n  2)\n",
    "def f(x=lambda: 1): pass\n",
    "async def f():\n    await x\n",
    "async def f():\n    async for x in y:\n        z\n    async with a: b\n",
    "async def f(): pass\n",
    "class A:\n    pass\n",
    "class A: pass\n",
    "class A(B, metaclass=C):\n    x = 1\n    def f(self):\n        pass\n",
    "class A:\n    '''Doc.'''\n    def f(self): pass\n\n    def g(self): pass\n",
    "class A:\n    x: int\n    y: str = 'a'\n",
    "@d\ndef f(): pass\n",
    "@d\ndef f():\n    pass\n",
    "@d(1,\n   2)\n@e.f\nclass A:\n    pass\n",
    "@d # why\nasync def f():\n    pass\n",
    "class A:\n    @property\n    def x(self):\n        return 1\n    @x.setter\n    def x(self, v): pass\n",
    "@(yield_)\ndef f(): pass\n",
    "match x:\n    case 1:\n        y\n",
    "match x:\n    case [a, b] if a:\n        y\n    case {'k': v}:\n        z\n    case _: pass\n",
    "match (x):\n    case A(x=1): y\n",
    "match x, y:\n    case 1, 2:\n        pass\n",
    "match -x:\n    case -1: y\n",
    "match [x]:\n    case []: y\n",
    "match 'a':\n    case 'a' | 'b': y\n",
    "match f(x):\n  # comment\n    case str() as s:\n        y\n",
    "match x:\n    case (1 |\n      2):\n        y\n",
    "x = 1\n",
    "x = (1,\n)\n",
    "\n",
    "\n\nx = 1",
    "x\\\n",
    "\\\nx",
    "# a\n# b",
    "# a\nx = 1",
    "x = 1 # why \\",
    "if x: # '''\n    y\n",
    "x = '#'",
    "print('''a\n# b\n''')",
    "x = \"a\" 'b' \\\n  'c'",
    "s = 'a;b:c'",
    "if s == ':':\n    y\n",
    "x = {\n  'a': [\n    1, (2,\n 3)],\n}",
    "if x:\n    y = {\n'a': 1,\n    }\n    z\n",
    "for x in '''a\nb''':\n    y\n",
    "def f(a='''\n'''):\n    pass\n",
    "x = yield_",
    "print(f'{x:%Y}')",
    "f'{x=}'",
    "f'{d[\"a\"]}'",
    "if x:\r\n    y\r\n",
    "gr\xC3\xB6\xC3\x9F = 'gr\xC3\xBC\xC3\x9F\xE2\x82\xAC'",
    "\tx",
    "if x:\n    y\n  z\n",
    "if x:\ny\n",
    "x)",
    "'abc",
    "x = 'a\ny",
    "x = $",
    "else:",
    "class A",
    "if x\n",
    "@d\nx = 1\n",
    "try:\n    x\ny\n",
    "f((]",
    "x = 1 \\ y",
    "if x: y\nz",
};

/// For each text `i` if codeop waits for more, `c` if it compiles, `e` if it refuses the text.
std::string verdicts(const std::vector<std::string>& texts) {
    bench::python_bench python(
        "import codeop, json, warnings\n"
        "def verdict(text):\n"
        "    try:\n"
        "        return 'i' if codeop.compile_command(text) is None else 'c'\n"
        "    except (SyntaxError, ValueError, OverflowError):\n"
        "        return 'e'\n"
        "def verdicts(texts):\n"
        "    with warnings.catch_warnings():\n"
        "        warnings.simplefilter('ignore')\n"
        "        return ''.join(map(verdict, json.loads(texts)))\n");
    std::string code = "print(verdicts('";
    for (const char c : bench::ai::dump_json(bench::ai::json(texts))) {
        code += c == '\'' || c == '\\' ? std::string("\\") + c : std::string(1, c);
    }
    const bench::py::outcome ended = python.session.exec(code + "'))");
    INFO((ended.exception ? ended.exception->traceback : ended.why));
    REQUIRE(ended.ok());
    return ended.out;
}

bool is_blank_line_at_end(const std::string& text) {
    const std::size_t line = text.rfind('\n') + 1;
    return line > 0 && line < text.size() && text.find_first_not_of(" \t", line) == std::string::npos;
}

std::string indent_after(std::string_view text) {
    const repl::entry_state state = repl::judge_entry(text);
    return state.complete ? "complete" : "[" + state.indent + "]";
}

}  // namespace

TEST_CASE("an entry continues exactly where Python's own prompt waits for more") {
    std::set<std::string> prefixes;
    for (const std::string entry : entries) {
        for (std::size_t size = 0; size <= entry.size(); ++size) {
            // At the prompt, a line of blanks ends a block. A cut character is not text, a cut line end not a line end.
            const std::string prefix = entry.substr(0, size);
            const bool cut = size < entry.size() && (static_cast<unsigned char>(entry[size]) & 0xC0) == 0x80;
            if (!cut && !prefix.ends_with('\r') && !is_blank_line_at_end(prefix)) {
                prefixes.insert(prefix);
            }
        }
    }
    const std::vector<std::string> texts(prefixes.begin(), prefixes.end());
    const std::string judged = verdicts(texts);
    REQUIRE(judged.size() >= texts.size());
    std::size_t refused = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const bool complete = repl::judge_entry(texts[i]).complete;
        INFO(texts[i] << "\n-- codeop says " << judged[i]);
        // Only the parser knows of every text that is no Python.
        refused += judged[i] == 'e' && !complete ? 1 : 0;
        CHECK((judged[i] == 'e' || complete == (judged[i] == 'c')));
    }
    INFO(texts.size() << " texts");
    CHECK(refused < texts.size() / 10);
}

TEST_CASE("text that more lines cannot mend is complete") {
    for (const char* const text : {"x)", "f((]", "'abc", "x = $", "else:", "if x", "class A", "if x:\ny", "if x:\n    y\n  z", "  x",
                                   "x \\ y", "@d\nx = 1", "try:\n    x\ny", "x?", "what is this?", "df?"}) {
        INFO(text);
        CHECK(repl::judge_entry(text).complete);
    }
}

TEST_CASE("commands are complete, but not the lines of a block that look like them") {
    CHECK(repl::judge_entry("/load a(").complete);
    CHECK(repl::judge_entry("!echo '").complete);
    CHECK_FALSE(repl::judge_entry("x = (1\n/ 2").complete);
    CHECK_FALSE(repl::judge_entry("'''what?").complete);
}

TEST_CASE("a line of blanks ends a block, but not a string") {
    CHECK(repl::judge_entry("if x:\n    y\n    ").complete);
    CHECK_FALSE(repl::judge_entry("if x:\n    ").complete);
    CHECK_FALSE(repl::judge_entry("x = '''\n    ").complete);
    CHECK_FALSE(repl::judge_entry("x = (\n    ").complete);
}

TEST_CASE("the next line is indented as the code asks for") {
    CHECK(indent_after("if x:") == "[    ]");
    CHECK(indent_after("if x:\n    y") == "[    ]");
    CHECK(indent_after("if x:\n    for i in y:") == "[        ]");
    CHECK(indent_after("if x:\n\tif y:") == "[\t\t]");
    CHECK(indent_after("def f():\n    return 1") == "[]");
    CHECK(indent_after("def f():\n    if x:\n        raise E") == "[    ]");
    CHECK(indent_after("for x in y:\n    if x:\n        continue") == "[    ]");
    CHECK(indent_after("while x: # why:") == "[    ]");
    CHECK(indent_after("if x:\n    # comment") == "[    ]");
    CHECK(indent_after("if x:\n    y\n    # comment") == "[    ]");
    CHECK(indent_after("f(") == "[    ]");
    CHECK(indent_after("if x:\n    f(a,\n      b,") == "[        ]");
    CHECK(indent_after("x = [\n    {") == "[        ]");
    CHECK(indent_after("x = 1 + \\") == "[    ]");
    CHECK(indent_after("x = '''\n  a") == "[]");
    CHECK(indent_after("@d") == "[]");
    CHECK(indent_after("class A:\n    @d") == "[    ]");
}

TEST_CASE("a statement that is timed continues like the statement") {
    CHECK(repl::judge_entry("%time 1 + 1").complete);
    CHECK_FALSE(repl::judge_entry("%time for i in range(2):").complete);
    CHECK(repl::judge_entry("%time for i in range(2):").indent == "    ");
    CHECK(repl::judge_entry("%time for i in range(2):\n    i\n").complete);
    CHECK(repl::judge_entry("%time").complete);
}
