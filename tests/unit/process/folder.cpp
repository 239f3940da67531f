#include "process/folder.hpp"
#include "process_bench.hpp"

#include <unistd.h>

#include <filesystem>

namespace fs = std::filesystem;

namespace {

/// A folder of the test that vanishes with it.
struct scratch {
    fs::path path = fs::canonical(fs::temp_directory_path()) / ("pyaichat_folder_" + std::to_string(::getpid()));
    scratch() { fs::create_directories(path / "inner"); }
    scratch(const scratch&) = delete;
    scratch& operator=(const scratch&) = delete;
    ~scratch() {
        std::error_code ignored;
        fs::remove_all(path, ignored);
    }
};

}  // namespace

TEST_CASE("a working folder is opened under its real path", "[folder]") {
    const scratch files;
    fs::create_directory_symlink(files.path / "inner", files.path / "link");
    const auto opened = process::open_working_folder((files.path / "inner" / ".." / "link").string());
    REQUIRE(opened);
    CHECK(opened->path == (files.path / "inner").string());
    auto options = shell_line("pwd");
    options.folder = opened->handle.number();
    printed to;
    run(options, to);
    CHECK(to.out == opened->path + "\n");
}

TEST_CASE("what is not a folder cannot be opened", "[folder]") {
    const scratch files;
    CHECK(process::open_working_folder((files.path / "none").string()).error().code == pyaichat::errc::not_found);
    CHECK(process::open_working_folder("/bin/sh").error().code == pyaichat::errc::not_found);
}

TEST_CASE("a process starts in a folder that has vanished since it was opened", "[folder]") {
    const scratch files;
    const auto opened = process::open_working_folder((files.path / "inner").string());
    REQUIRE(opened);
    fs::remove(files.path / "inner");
    auto options = shell_line("echo started");
    options.folder = opened->handle.number();
    printed to;
    run(options, to);
    CHECK(to.out.find("started\n") != std::string::npos);
}
