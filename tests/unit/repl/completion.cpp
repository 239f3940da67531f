#include "python/completion.hpp"

#include "../python/python_bench.hpp"
#include "python/command_completion.hpp"

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <string>

namespace {

/// A session, and the texts that completion offers at the `|` of an entry.
namespace ai = pyaichat;

struct completion_bench : bench::python_bench {
    using python_bench::python_bench;

    ai::duration patience = std::chrono::seconds(20);  // a slow machine does not matter

    repl::completion_list list(std::string entry) {
        const std::size_t cursor = entry.find('|');
        entry.erase(cursor, 1);
        repl::completion_list found = repl::complete_python(session, entry, cursor, patience);
        CHECK(found.begin <= cursor);
        CHECK(found.end >= cursor);
        for (const repl::completion& each : found.items) {
            CHECK(each.text.starts_with(entry.substr(found.begin, cursor - found.begin)));
        }
        return found;
    }
    std::string offered(const std::string& entry) {
        std::string out;
        for (const repl::completion& each : list(entry).items) {
            out += (out.empty() ? "" : " ") + each.text;
        }
        return out;
    }
    bool offers(const std::string& entry, const std::string& text) {
        INFO(entry << ": " << offered(entry));
        return (" " + offered(entry) + " ").find(" " + text + " ") != std::string::npos;
    }
    std::string described(std::string entry) {
        const std::size_t cursor = entry.find('|');
        entry.erase(cursor, 1);
        return repl::describe_call_at(session, entry, cursor, patience);
    }
};

/// A folder that is the working folder while it lives.
class working_folder {
public:
    working_folder() : before_(std::filesystem::current_path()) {
        std::string pattern = (std::filesystem::temp_directory_path() / "completionXXXXXX").string();
        path_ = ::mkdtemp(pattern.data());
        std::filesystem::current_path(path_);
    }
    ~working_folder() {
        std::filesystem::current_path(before_);
        std::filesystem::remove_all(path_);
    }
    working_folder(const working_folder&) = delete;
    working_folder& operator=(const working_folder&) = delete;

    void write(const std::filesystem::path& name, const std::string& text = {}) const {
        std::filesystem::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name) << text;
    }
    [[nodiscard]] std::string path() const { return path_.string(); }

private:
    std::filesystem::path before_;
    std::filesystem::path path_;
};

}  // namespace

TEST_CASE("variables, built-in names and keywords are completed") {
    completion_bench python("printer = 1\n_private = 2\n");
    CHECK(python.offered("pri|") == "print printer");
    CHECK(python.offered("whi|") == "while");
    CHECK(python.offered("_pri|") == "_private");
    CHECK_FALSE(python.offers("p|", "_private"));
    CHECK(python.offered("Pri|").empty());
    CHECK(python.list("x = printe|").items.at(0).detail == "int");
    CHECK(python.list("prin|").items.at(0).detail == "function");
    CHECK(python.offered("|").empty());
}

TEST_CASE("names that the entry itself defines are completed") {
    completion_bench python;
    CHECK(python.offered("def f(argument_one):\n    local_one = 1\n    return argu|") == "argument_one");
    CHECK(python.offered("def f(argument_one):\n    local_one = 1\n    return loca|") == "local_one locals");
}

TEST_CASE("all members of an object are offered, however many there are") {
    completion_bench python(
        "import os\n"
        "class K: pass\n"
        "k = K()\n"
        "for i in range(300):\n"
        "    setattr(k, f'item_{chr(97 + i % 26)}_{i}', i)\n"
        "setattr(k, 'item no name', 1)\n");
    const repl::completion_list items = python.list("k.item|");
    CHECK(items.items.size() == 300);
    CHECK_FALSE(items.cut);
    CHECK(python.offers("os.|", "walk"));
    CHECK(python.offers("os.|", "WNOHANG"));
    CHECK_FALSE(python.offers("os.|", "_exit"));
    CHECK(python.offered("os._exi|") == "_exists _exit");
    CHECK(python.list("os.path|").items.at(0).detail == "module");
}

TEST_CASE("a list with too many names is marked as cut") {
    completion_bench python(
        "class K: pass\n"
        "k = K()\n"
        "for i in range(6000):\n"
        "    setattr(k, f'item_{i}', i)\n");
    CHECK(python.list("k.item|").cut);
    CHECK_FALSE(python.list("k.item_10|").cut);
}

TEST_CASE("attributes of literals and of results of safe calls are completed") {
    completion_bench python;
    CHECK(python.offered("\"\".sp|") == "split splitlines");
    CHECK(python.offered("[].ap|") == "append");
    CHECK(python.offers("{}.|", "keys"));
    CHECK(python.offered("'a'.upper().isid|") == "isidentifier");
    CHECK(python.list("''.spli|").items.at(0).detail == "method");
}

TEST_CASE("the keys of a dict are completed with the quotes that were typed") {
    completion_bench python("d = {'key one': 1, \"it's\": 2, b'kb': 3, 7: 4, ('a', 1): 5, 'kx': 6}\nd[object()] = 1\n");
    CHECK(python.offered("d[\"ke|") == "\"key one\"]");
    CHECK(python.offered("d['ke|']") == "'key one'");
    CHECK(python.offered("d['ke|") == "'key one']");
    CHECK(python.offered("d['i|") == "'it\\'s']");
    CHECK(python.offered("d[b\"|") == "b\"kb\"]");
    CHECK(python.offered("d[|") == "'key one'] \"it's\"] b'kb'] 7] ('a', 1)] 'kx']");
    const repl::completion_list typed = python.list("d['k|'] + 1");
    CHECK(typed.begin == 2);
    CHECK(typed.end == 5);
}

TEST_CASE("the columns of a table are completed as keys") {
    completion_bench python;
    const bench::py::outcome imported = python.session.exec("import pandas as pd");
    if (!imported.ok()) {
        std::cout << "SKIPPED: pandas cannot be imported: " << (imported.exception ? imported.exception->message : imported.why) << "\n";
        return;
    }
    REQUIRE(python.session.exec("df = pd.DataFrame({'price': [1.5], 'part no': ['a'], 3: [True]})").ok());
    CHECK(python.offered("df[\"p|") == "\"price\"] \"part no\"]");
    CHECK(python.offered("df[|") == "'price'] 'part no'] 3]");
    CHECK(python.offers("df.|", "groupby"));
    CHECK(python.offers("pd.|", "DataFrame"));
    CHECK(python.offered("pd.read_cs|") == "read_csv");
    CHECK(python.offers("pd.read_csv('a', |", "usecols="));
    CHECK(python.described("pd.DataFrame(|").starts_with("DataFrame(data"));
}

TEST_CASE("keyword arguments are offered first, without those that the call has") {
    completion_bench python(
        "def attack(target, damage=1, /, power=2, *, force=False, **rest): pass\n"
        "class Unit:\n"
        "    def __init__(self, name, level=1): pass\n"
        "    def move(self, path): pass\n"
        "unit = Unit('a')\n"
        "import functools\n"
        "@functools.wraps(attack)\n"
        "def wrapper(*args, **kwargs): pass\n");
    CHECK(python.offered("attack(1, |") == "power= force=");
    CHECK(python.offered("attack(1, force=True, |") == "power=");
    CHECK(python.offered("attack(1, forc|") == "force=");
    CHECK(python.offered("Unit(|") == "name= level=");
    CHECK(python.offered("unit.move(|") == "path=");
    CHECK(python.offered("wrapper(|") == "power= force=");
    CHECK(python.offered("print('a', en|") == "end= enumerate");
    CHECK(python.offered("sorted(x, |") == "key= reverse=");
}

TEST_CASE("modules are found without importing them") {
    const working_folder folder;
    folder.write("module_one.py", "first = 1\ndef second(): pass\n_third = 3\nraise SystemError\n");
    folder.write("module_two/__init__.py", "raise SystemError\n");
    folder.write("module_two/inner_part.py");
    folder.write("module_none/data.txt");
    folder.write("module-x.py");
    completion_bench python("import sys\nsys.path.insert(0, '" + folder.path() + "')\nbefore = set(sys.modules)\n");
    CHECK(python.offered("import module_|") == "module_one module_two");
    CHECK(python.offered("import module_two.|") == "inner_part");
    CHECK(python.offered("from module_two.in|") == "inner_part");
    CHECK(python.offered("from module_two import |") == "inner_part");
    CHECK(python.offered("from module_one import |") == "first second");
    CHECK(python.offered("import os, colors|") == "colorsys");
    CHECK(python.offered("import _ab|") == "_abc");
    CHECK(python.offered("from sys import exc_i|") == "exc_info");
    CHECK(python.offered("import os.pa|") == "path");
    CHECK(python.session.eval("set(sys.modules) - before").value == "set()");
    CHECK(python.session.exec("sys.path.pop(0)").ok());
}

TEST_CASE("names of files are completed in strings") {
    const working_folder folder;
    folder.write("data_one.csv");
    folder.write("data_two/inner.txt");
    folder.write(".data_hidden");
    folder.write("data'quote");
    completion_bench python;
    CHECK(python.offered("open('da|") == "data_one.csv data_two/");
    CHECK(python.offered("open('data_two/|') + 1") == "inner.txt");
    CHECK(python.offered("open('.da|") == ".data_hidden");
    CHECK(python.offered("!cat data_o|") == "data_one.csv");
}

TEST_CASE("a magic command and what is behind it are completed") {
    completion_bench python("value_one = 1\n");
    CHECK(python.offered("%ti|") == "%time");
    CHECK(python.offered("%time value_o|") == "value_one");
    CHECK(python.offered("/hel|").empty());
}

TEST_CASE("commands and their arguments are completed") {
    static constexpr std::string_view modes[] = {"python", "assistant"};
    static constexpr repl::command_form commands[] = {
        {.name = "/mode", .about = "switch", .takes = repl::command_form::argument::word, .words = modes},
        {.name = "/model", .about = "show the model"},
        {.name = "/load", .takes = repl::command_form::argument::file}};
    const auto offered = [](std::string_view line) {
        std::string out;
        for (const repl::completion& each : repl::complete_command(line, line.size(), commands).items) {
            out += (out.empty() ? "" : " ") + each.text;
        }
        return out;
    };
    CHECK(offered("/mo") == "/mode /model");
    CHECK(offered("/mode ") == "assistant python");
    CHECK(offered("/mode p") == "python");
    CHECK(offered("/model x").empty());
    CHECK(offered("mo").empty());
    const working_folder folder;
    folder.write("session_one");
    CHECK(offered("/load ses") == "session_one");
}

TEST_CASE("a call is described by its signature and the first line of its documentation") {
    completion_bench python(
        "def attack(target, damage=1):\n"
        "    '''Attacks a target.\n\n    More.'''\n"
        "class Unit:\n"
        "    'A unit.'\n"
        "    def __init__(self, name): pass\n"
        "    def __call__(self, order): pass\n"
        "unit = Unit('a')\n"
        "number = 3\n");
    CHECK(python.described("attack(1, |") == "attack(target, damage=1)\nAttacks a target.");
    CHECK(python.described("atta|ck") == "attack(target, damage=1)\nAttacks a target.");
    CHECK(python.described("Unit(|") == "Unit(name)\nA unit.");
    CHECK(python.described("unit(|") == "Unit(order)\nA unit.");
    CHECK(python.described("len(|") == "len(obj, /)\nReturn the number of items in a container.");
    CHECK(python.described("'a'.join(|") == "join(iterable, /)\nConcatenate any number of strings.");
    CHECK(python.described("num|ber").starts_with("3"));
    CHECK(python.described("unknown(|").empty());
}

TEST_CASE("completion and descriptions run no code of the session") {
    completion_bench python(
        "calls = 0\n"
        "def ran(*args, **kwargs):\n"
        "    global calls\n"
        "    calls += 1\n"
        "    raise RuntimeError('code ran')\n"
        "class Meta(type):\n"
        "    __getattribute__ = __getattr__ = __dir__ = __instancecheck__ = __call__ = __hash__ = __eq__ = ran\n"
        "class Base:\n"
        "    __getattribute__ = __getattr__ = __dir__ = __len__ = __iter__ = __getitem__ = __repr__ = __hash__ = __eq__ = ran\n"
        "    keys = values = __call__ = __bool__ = __contains__ = __missing__ = ran\n"
        "    prop = property(ran)\n"
        "class Hostile(Base, metaclass=Meta):\n"
        "    pass\n"
        "class Keyed(dict):\n"
        "    __getattribute__ = __getattr__ = __dir__ = __len__ = __iter__ = __getitem__ = __repr__ = keys = __missing__ = __contains__ = "
        "ran\n"
        "class Text(str):\n"
        "    __hash__ = str.__hash__\n"
        "    __eq__ = __str__ = __repr__ = __getitem__ = __len__ = startswith = ran\n"
        "class Signed:\n"
        "    __signature__ = property(ran)\n"
        "    __text_signature__ = property(ran)\n"
        "    __wrapped__ = property(ran)\n"
        "    __doc__ = property(ran)\n"
        "    def __call__(self, order): ran()\n"
        "import sys, types\n"
        "hostile = object.__new__(Hostile)\n"
        "keyed = Keyed({'key_one': hostile, Text('key_two'): 1})\n"
        "signed = Signed()\n"
        "odd = object.__new__(Base)\n"
        "mixed = {Text('key_three'): 1, odd.__class__ if False else 3: 2}\n"
        "class Module(types.ModuleType):\n"
        "    __getattribute__ = __getattr__ = __dir__ = ran\n"
        "sys.modules['hostile_module'] = Module('hostile_module')\n"
        "globals()[Text('texty')] = 1\n"
        "old_path = sys.path\n"
        "class Path(list):\n"
        "    __iter__ = __getitem__ = __len__ = __contains__ = ran\n"
        "def wrapped(): pass\n"
        "wrapped.__wrapped__ = odd\n"
        "calls = 0\n");
    for (const char* const entry : {"hostile.|",
                                    "hostile.p|",
                                    "Hostile.|",
                                    "hostile[|",
                                    "hostile['|",
                                    "hostile(|",
                                    "keyed.|",
                                    "keyed['|",
                                    "keyed[|",
                                    "mixed['|",
                                    "odd.|",
                                    "odd.prop.|",
                                    "odd[|",
                                    "signed(|",
                                    "signed.|",
                                    "signed.__doc__.|",
                                    "Signed(|",
                                    "Meta.|",
                                    "Meta(|",
                                    "h|",
                                    "t|",
                                    "from hostile_module import |",
                                    "import hostile_module.|",
                                    "wrapped(|",
                                    "keyed['key_one'].|",
                                    "keyed['key_two'].|",
                                    "import o|",
                                    "(odd + 1).|",
                                    "odd().|",
                                    "[odd, 1].|",
                                    "f'{odd}'.|",
                                    "len(odd).|",
                                    "str(odd).|",
                                    "odd == hostile.|",
                                    "hostile.prop(|",
                                    "sys.|",
                                    "types.|"}) {
        INFO(entry);
        static_cast<void>(python.list(entry));
        static_cast<void>(python.described(entry));
    }
    const bench::py::outcome counted = python.session.eval("calls");
    CHECK(counted.value == "0");
    CHECK(python.session.exec("sys.modules.pop('hostile_module')").ok());
}

TEST_CASE("while Python is busy, completion soon returns an empty list") {
    const working_folder folder;
    completion_bench python("import os, threading\n");
    std::future<bench::py::outcome> running = bench::start(python.session, "while not os.path.exists('stop'): pass");
    python.patience = repl::completion_patience;
    const auto began = std::chrono::steady_clock::now();
    CHECK(python.offered("threading.|").empty());
    CHECK(python.offered("pri|").empty());
    CHECK(std::chrono::steady_clock::now() - began < std::chrono::seconds(3));
    folder.write("stop");
    CHECK(running.get().ok());
}
