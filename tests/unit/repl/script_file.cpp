#include "python/script_file.hpp"

#include "catch.hpp"

#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

namespace {

std::string read_back(const std::string& bytes) {
    const std::string path = (std::filesystem::temp_directory_path() / ("pyaichat-script-" + std::to_string(::getpid()))).string();
    std::ofstream(path, std::ios::binary) << bytes;
    const auto text = repl::read_script(path);
    std::filesystem::remove(path);
    return text ? *text : "not read";
}

}  // namespace

TEST_CASE("a script is read as it is, but for a byte order mark at its start") {
    CHECK(read_back("x = 1\r\n") == "x = 1\r\n");
    CHECK(read_back("\xEF\xBB\xBFx = 1\n") == "x = 1\n");
    CHECK(read_back("\xEF\xBB\xBF\xEF\xBB\xBF") == "\xEF\xBB\xBF");
    CHECK(read_back("\xEF\xBB") == "\xEF\xBB");
}

TEST_CASE("a script that is not there is a failure that names it") {
    const auto missing = repl::read_script("/no/such/script.py");
    REQUIRE_FALSE(missing.has_value());
    CHECK(missing.error().message.find("/no/such/script.py") != std::string::npos);
    CHECK(repl::read_script("/tmp").error().message == "cannot read /tmp: it is a folder");
}
