#include "python_bench.hpp"

#include <unistd.h>
#include <filesystem>
#include <fstream>

using namespace bench;

namespace {

/// A folder with one Python file, in the search path of the session.
struct source_file {
    source_file(python_bench& bench, const std::string& name, const std::string& text)
        : folder(std::filesystem::temp_directory_path() / ("pyaichat_get_source_" + std::to_string(getpid()))) {
        std::filesystem::create_directories(folder);
        std::ofstream(folder / name) << text;
        REQUIRE(
            bench.session.exec("import sys\nif r'" + folder.string() + "' not in sys.path: sys.path.insert(0, r'" + folder.string() + "')")
                .ok());
    }
    ~source_file() { std::filesystem::remove_all(folder); }

    std::filesystem::path folder;
};

std::string source(python_bench& bench, const std::string& expression) {
    return python_bench::text(bench.look("get_source", expression), "source");
}

}  // namespace

TEST_CASE("get_source shows functions, methods and classes of the session, from their entries") {
    python_bench bench(
        "x = 1\n"
        "def damage(\n    points,\n    factor=2,\n):\n    total = (\n        points *\n        factor\n    )\n\n    # the end\n    return "
        "total\n\n"
        "class Player:\n    '''A player.'''\n    level = 3\n\n    @property\n    def strength(self):\n        return 7\n\n"
        "    @staticmethod\n    def roll(): return 4\n\n    class Bag:\n        size = 1\n\ny = 2\ndouble = lambda n: n * 2; z = 3\n");
    const ai::json function = bench.look("get_source", "damage");
    CHECK(python_bench::text(function, "source") ==
          "def damage(\n    points,\n    factor=2,\n):\n    total = (\n        points *\n        factor\n    )\n\n    # the end\n    "
          "return total\n");
    CHECK(python_bench::text(function, "file").starts_with("<session"));
    CHECK(ai::integer_member(function, "line") == 2);
    CHECK(ai::bool_member(function, "truncated") == false);
    const std::string player = source(bench, "Player");
    CHECK(player.starts_with("class Player:\n    '''A player.'''\n"));
    CHECK(player.ends_with("    class Bag:\n        size = 1\n"));
    CHECK(source(bench, "Player.strength") == "    @property\n    def strength(self):\n        return 7\n");
    CHECK(source(bench, "Player.roll") == "    @staticmethod\n    def roll(): return 4\n");
    CHECK(source(bench, "Player.Bag") == "    class Bag:\n        size = 1\n");
    CHECK(source(bench, "double") == "double = lambda n: n * 2; z = 3\n");
}

TEST_CASE("get_source finds the end of a function behind the functions inside it and behind dedented texts") {
    python_bench bench(
        "def outer():\n    text = '''\nnot the end\n'''\n    def inner():\n        return text\n    return inner\ndef only_doc():\n    "
        "'doc'\nx = 1\n"
        "def last_inner():\n    def inner():\n        a = 1\n        return a\nf = outer()");
    CHECK(source(bench, "outer").ends_with("    return inner\n"));
    CHECK(source(bench, "f") == "    def inner():\n        return text\n");
    CHECK(source(bench, "only_doc") == "def only_doc():\n    'doc'\n");
    CHECK(source(bench, "last_inner").ends_with("        return a\n"));
}

TEST_CASE("get_source reads modules and their functions from their file") {
    python_bench bench;
    const source_file file(
        bench, "source_sample.py",
        "import functools\n\n@functools.lru_cache\ndef cached(): return 1\n\ndef plain():\n    return 2\n\nclass Empty: pass\n");
    REQUIRE(bench.session.exec("import source_sample").ok());
    const ai::json function = bench.look("get_source", "source_sample.plain");
    CHECK(python_bench::text(function, "source") == "def plain():\n    return 2\n");
    CHECK(python_bench::text(function, "file") == (file.folder / "source_sample.py").string());
    CHECK(ai::integer_member(function, "line") == 6);
    CHECK(source(bench, "source_sample.Empty") == "class Empty: pass\n");
    CHECK(source(bench, "source_sample").starts_with("import functools\n"));
    REQUIRE(bench.session.exec("del sys.modules['source_sample'], source_sample").ok());
}

TEST_CASE("get_source says why an object has no source") {
    python_bench bench(
        "x = 5\nimport math, collections\nPoint = collections.namedtuple('Point', 'x y')\nMade = type('Made', (), {})\n"
        "def f(): pass\nf.__code__ = f.__code__.replace(co_filename='/etc/passwd')\ndef g(): pass\ng.__code__ = "
        "g.__code__.replace(co_filename='/dev/zero.py')\n"
        "def h(): pass\nh.__code__ = h.__code__.replace(co_filename='<no such entry>', co_firstlineno=0)");
    for (const char* name : {"x", "math", "len", "int", "Point", "Made", "f", "g", "h", "x.real", "[].append"}) {
        INFO(name);
        if (std::string_view(name).starts_with('[')) {
            CHECK_FALSE(invoke(bench.session, "get_source", about(name)).code == ai::reply_code::internal);
            continue;
        }
        const ai::json result = bench.look("get_source", name);
        CHECK(python_bench::member(result, "source").is_null());
        CHECK(python_bench::text(result, "why").size() > 10);
    }
}

TEST_CASE("get_source cuts a long source and says so") {
    python_bench bench("def long():\n" + [] {
        std::string body;
        for (int i = 0; i < 2000; ++i) {
            body += "    a = 'ä'\n";
        }
        return body;
    }());
    const ai::json cut = bench.look("get_source", "long");
    CHECK(ai::bool_member(cut, "truncated") == true);
    CHECK(python_bench::text(cut, "source").size() < 10'000);
    ai::json arguments = about("long");
    arguments["max_chars"] = 16;
    CHECK(python_bench::text(bench.result("get_source", arguments), "source") == "def long():\n    ");
}

TEST_CASE("a table of positions with damage or many entries ends the search and not the program") {
    python_bench bench(
        "def f():\n    return 1\ndef g():\n    return 2\ndef h():\n    return 3\n"
        "f.__code__ = f.__code__.replace(co_linetable=b'\\xf0\\xff\\xff\\xff\\xff\\xff\\xff\\xff')\n"
        "g.__code__ = g.__code__.replace(co_linetable=b'')\nh.__code__ = h.__code__.replace(co_linetable=b'\\xd0\\x02\\x00' * 400_000)");
    for (const char* name : {"f", "g", "h"}) {
        INFO(name);
        CHECK(invoke(bench.session, "get_source", about(name)).ok());
    }
    CHECK(ai::bool_member(bench.look("get_source", "h"), "truncated") == true);
}
