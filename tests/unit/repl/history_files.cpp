#include "terminal/history_files.hpp"

#include "terminal/history_format.hpp"

#include "catch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <string>
#include <vector>

namespace {

/// A name in a folder of its own, which is removed at the end.
class history_place {
public:
    history_place() : folder_("/tmp/pyaichat-history-XXXXXX") { REQUIRE(::mkdtemp(folder_.data()) != nullptr); }
    history_place(const history_place&) = delete;
    history_place& operator=(const history_place&) = delete;
    ~history_place() {
        ::unlink(file().c_str());
        ::rmdir(folder_.c_str());
    }
    [[nodiscard]] std::string file() const { return folder_ + "/history"; }

private:
    std::string folder_;
};

}  // namespace

TEST_CASE("an entry does not join a line that was cut off before its end") {
    const history_place place;
    std::ofstream(place.file()) << "> good\n> cut o";
    repl::append_history(place.file(), "next");
    CHECK(repl::read_history(place.file()) == std::vector<std::string>{"good", "cut o", "next"});
}

TEST_CASE("entries come back whole from their text, which is readable") {
    const std::vector<std::string> entries = {"x = 1", "def f():\n    return '> |'\n\n| y", "> not a mark", "| bar", "\\n"};
    std::string text;
    for (const std::string& entry : entries) {
        text += repl::format_history(entry);
    }
    CHECK(repl::parse_history(text) == entries);
    CHECK(text.find("| \n| | y\n") != std::string::npos);
    CHECK(text.starts_with("> x = 1\n> def f():\n|     return '> |'\n"));
}

TEST_CASE("the files of libedit are read, also with new entries behind") {
    CHECK(repl::parse_history("_HiStOrY_V2_\nfirst\\040=\\0401\n\\134n\n> second = 2\n") ==
          std::vector<std::string>{"first = 1", "\\n", "second = 2"});
}

TEST_CASE("a file that somebody has written or damaged is read as far as possible") {
    CHECK(repl::parse_history("x = 1\n\n| odd\n> y\xFF") == std::vector<std::string>{"x = 1\nodd", "y\xEF\xBF\xBD"});
    CHECK(repl::parse_history("").empty());
}

TEST_CASE("each entry is in the file at once, and only this user can read it") {
    const history_place place;
    repl::append_history(place.file(), "x = 1");
    repl::append_history(place.file(), "if x:\n    y");
    CHECK(repl::read_history(place.file()) == std::vector<std::string>{"x = 1", "if x:\n    y"});
    struct stat state = {};
    REQUIRE(::stat(place.file().c_str(), &state) == 0);
    CHECK((state.st_mode & 0777U) == 0600U);
    repl::append_history("", "lost");
    CHECK(repl::read_history("").empty());
}

TEST_CASE("a file that has grown too long keeps its newest entries") {
    const history_place place;
    {
        std::ofstream file(place.file());
        for (int number = 0; number < 50000; ++number) {
            file << repl::format_history(std::to_string(number) + std::string(100, 'x'));
        }
    }
    repl::trim_history(place.file());
    const auto entries = repl::read_history(place.file());
    CHECK(entries.size() == 5000);
    CHECK(entries.back().starts_with("49999x"));
    repl::append_history(place.file(), "next");
    CHECK(repl::read_history(place.file()).back() == "next");
}
