#include "python/python_environment.hpp"

#include "catch.hpp"

#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace {

namespace fs = std::filesystem;

/// A folder for one test.
class scratch_folder {
public:
    scratch_folder() { fs::create_directories(path_); }
    ~scratch_folder() { fs::remove_all(path_); }
    scratch_folder(const scratch_folder&) = delete;
    scratch_folder& operator=(const scratch_folder&) = delete;

    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

    void environment(const std::string& name, const std::string& config) const {
        fs::create_directories(path_ / name);
        std::ofstream(path_ / name / "pyvenv.cfg") << config;
    }

private:
    fs::path path_ = fs::temp_directory_path() / ("pyaichat-environment-" + std::to_string(::getpid()));
};

}  // namespace

TEST_CASE("a folder without a virtual environment has none, and that is no problem") {
    const scratch_folder folder;
    const auto found = repl::find_environment(std::nullopt, folder.path(), "3.11.2");
    CHECK(found.folder.empty());
    CHECK(found.problem.empty());
    CHECK(repl::find_environment("", folder.path(), "3.11.2").problem.empty());
}

TEST_CASE("the environment beside is found, and VIRTUAL_ENV comes before it") {
    const scratch_folder folder;
    folder.environment(".venv", "home = /usr/bin\nversion = 3.11.9\n");
    folder.environment("other", "version_info=3.11.4.final.0\n");
    CHECK(repl::find_environment(std::nullopt, folder.path(), "3.11.2").folder == (folder.path() / ".venv").string());
    CHECK(repl::find_environment("other", folder.path(), "3.11.2").folder == (folder.path() / "other").string());
    const auto missing = repl::find_environment((folder.path() / "gone").string(), folder.path(), "3.11.2");
    CHECK(missing.folder.empty());
    CHECK(missing.problem.find("gone") != std::string::npos);
}

TEST_CASE("an environment of another minor version is a problem that names both versions") {
    const scratch_folder folder;
    folder.environment(".venv", "version = 3.1.12\n");
    const auto other = repl::find_environment(std::nullopt, folder.path(), "3.11.2");
    CHECK(other.folder.empty());
    CHECK(other.problem.find("Python 3.1 ") != std::string::npos);
    CHECK(other.problem.find("python3.11 -m venv") != std::string::npos);
}

TEST_CASE("an environment that does not say its version must have the folder of this version") {
    const scratch_folder folder;
    folder.environment(".venv", "home = /usr/bin\n");
    CHECK_FALSE(repl::find_environment(std::nullopt, folder.path(), "3.11.2").problem.empty());
    fs::create_directories(folder.path() / ".venv" / "lib" / "python3.11");
    CHECK(repl::find_environment(std::nullopt, folder.path(), "3.11.2").problem.empty());
}
