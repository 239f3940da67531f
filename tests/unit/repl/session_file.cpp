#include "assistant/session_file.hpp"

#include "catch.hpp"

#include <sys/stat.h>
#include <unistd.h>

#include <cstdio>
#include <filesystem>
#include <fstream>

namespace {

repl::session_file example() {
    repl::session_file session{.entries = {"x = 1", "def f():\n    return 'ü'"}, .variables = {{.name = "x", .pickled = "80ff"}}};
    session.conversation["on"] = true;
    return session;
}

/// A path that nothing exists at, removed at the end.
struct scratch_path {
    explicit scratch_path(const std::string& end = ".json") : path("/tmp/pyaichat-session-" + std::to_string(::getpid()) + end) {
        ::unlink(path.c_str());
    }
    scratch_path(const scratch_path&) = delete;
    scratch_path& operator=(const scratch_path&) = delete;
    ~scratch_path() { ::unlink(path.c_str()); }
    std::string path;
};

}  // namespace

TEST_CASE("a session is read as it was written, by its owner only") {
    const scratch_path file;
    std::ofstream(file.path) << repl::session_text({});  // an older one, which others may read
    ::chmod(file.path.c_str(), 0644);
    REQUIRE(repl::write_session_file(file.path, example()).has_value());
    struct stat status{};
    REQUIRE(::stat(file.path.c_str(), &status) == 0);
    CHECK((status.st_mode & 0777U) == 0600);
    const auto read = repl::read_session_file(file.path);
    REQUIRE(read.has_value());
    CHECK(read->entries == example().entries);
    CHECK(read->conversation == example().conversation);
    REQUIRE(read->variables.size() == 1);
    CHECK(read->variables[0].name == "x");
    CHECK(read->variables[0].pickled == "80ff");
}

TEST_CASE("only a session is replaced, through a link too; other files, folders and pipes stay") {
    const scratch_path file;
    std::ofstream(file.path) << "print('precious')";
    CHECK(repl::write_session_file(file.path, example()).error().message.find("was not replaced") != std::string::npos);
    CHECK(std::filesystem::file_size(file.path) == 17);
    CHECK(repl::write_session_file("/tmp", example()).error().message == "/tmp was not replaced: it is not a regular file");

    const scratch_path link(".link");
    std::ofstream(file.path) << "";
    std::filesystem::create_symlink(file.path, link.path);
    CHECK(repl::write_session_file(link.path, example()).has_value());
    CHECK(std::filesystem::is_symlink(link.path));
    CHECK(repl::read_session_file(file.path).has_value());

    ::unlink(link.path.c_str());
    REQUIRE(::mkfifo(link.path.c_str(), 0600) == 0);
    CHECK(repl::read_session_file(link.path).error().message.find("not a regular file") != std::string::npos);
    CHECK_FALSE(repl::write_session_file(link.path, example()).has_value());
    CHECK(repl::read_session_file("/tmp").error().message.find("not a regular file") != std::string::npos);
}

TEST_CASE("files that are missing, damaged, of another kind or of another format are refused with a reason") {
    CHECK(repl::read_session_file("/nowhere/at/all").error().message.find("cannot read") != std::string::npos);
    CHECK(repl::parse_session("{\"a\":1}").error().message.find("not a session") != std::string::npos);
    CHECK(repl::parse_session("{\"pyaichat_session\":2}").error().message.find("format 2") != std::string::npos);
    const std::string whole = repl::session_text(example());
    for (std::size_t length = 0; length + 2 < whole.size(); ++length) {
        REQUIRE_FALSE(repl::parse_session(std::string_view(whole).substr(0, length)).has_value());
    }
    CHECK_FALSE(repl::write_session_file("/nowhere/at/all", example()).has_value());
}

TEST_CASE("a name or a pickle that could be other code than meant is refused") {
    for (const auto& [name, pickled] :
         {std::pair{"x; import os", "80"}, {"x.y", "80"}, {"", "80"}, {"1x", "80"}, {"x", "8"}, {"x", ""}, {"x", "80')) or f(('"}}) {
        repl::session_file session = example();
        session.variables = {{.name = name, .pickled = pickled}};
        CHECK_FALSE(repl::parse_session(repl::session_text(session)).has_value());
    }
}
