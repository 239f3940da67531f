#include <pyaichat/runtime/file_journal.hpp>

#include "runtime/journal_lines.hpp"

#include "catch.hpp"

#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace ai = pyaichat;
using ai::json;

namespace {

/// A folder that goes with the test.
class folder {
public:
    folder() {
        std::string name = (std::filesystem::temp_directory_path() / "pyaichat-journal-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        path_ = name;
    }
    folder(const folder&) = delete;
    folder& operator=(const folder&) = delete;
    ~folder() { std::filesystem::remove_all(path_); }

    [[nodiscard]] std::string file(const char* name = "runs.jsonl") const { return (path_ / name).string(); }

private:
    std::filesystem::path path_;
};

std::string text_of(const std::string& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

void write(const std::string& path, const std::string& text) {
    std::ofstream(path, std::ios::binary) << text;
}

ai::journal_record record(std::string run_id, std::uint64_t number, json content = json::object()) {
    return {.run_id = std::move(run_id), .number = number, .content = std::move(content)};
}

ai::file_journal opened(const std::string& path) {
    ai::result<ai::file_journal> journal = ai::file_journal::open(path);
    INFO((journal ? std::string() : journal.error().message));
    REQUIRE(journal);
    return *std::move(journal);
}

/// "a1 a2 b1": the records of each run, in order.
std::string told_by(const ai::file_journal& journal) {
    const auto runs = journal.runs();
    REQUIRE(runs);
    std::string told;
    for (const ai::journalled_run& run : *runs) {
        for (const ai::journal_record& one : run.records) {
            CHECK(one.run_id == run.run_id);
            told += (told.empty() ? "" : " ") + one.run_id + std::to_string(one.number);
        }
    }
    return told;
}

/// For as long as it lives, no file grows beyond this.
class small_disk {
public:
    explicit small_disk(rlim_t bytes) : handler_(std::signal(SIGXFSZ, SIG_IGN)) {
        REQUIRE(::getrlimit(RLIMIT_FSIZE, &before_) == 0);
        const rlimit small{.rlim_cur = bytes, .rlim_max = before_.rlim_max};
        REQUIRE(::setrlimit(RLIMIT_FSIZE, &small) == 0);
    }
    small_disk(const small_disk&) = delete;
    small_disk& operator=(const small_disk&) = delete;
    ~small_disk() {
        ::setrlimit(RLIMIT_FSIZE, &before_);
        std::signal(SIGXFSZ, handler_);
    }

private:
    rlimit before_ = {};
    void (*handler_)(int);
};

}  // namespace

TEST_CASE("what was appended is told again, by the journal and by the next one that opens the file") {
    const folder here;
    const json content = {{"text", "two\nlines, \"quotes\" and \xC3\xA9"}, {"number", 1.5}, {"list", {1, nullptr, true}}};
    {
        ai::file_journal journal = opened(here.file());
        CHECK(told_by(journal).empty());
        REQUIRE(journal.append(record("a", 1, content)));
        REQUIRE(journal.append(record("a", 2)));
        CHECK(told_by(journal) == "a1 a2");
    }
    ai::file_journal journal = opened(here.file());
    CHECK(told_by(journal) == "a1 a2");
    CHECK((*journal.runs())[0].records[0].content == content);
    REQUIRE(journal.append(record("a", 3)));
    CHECK(told_by(journal) == "a1 a2 a3");
}

TEST_CASE("runs that take turns are told apart, in the order in which they began") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    for (const auto& [id, number] : {std::pair("b", 1), {"a", 1}, {"b", 2}, {"c", 1}, {"a", 2}}) {
        REQUIRE(journal.append(record(id, static_cast<std::uint64_t>(number))));
    }
    CHECK(told_by(journal) == "b1 b2 a1 a2 c1");
}

TEST_CASE("a record is one line, and the file is its owner's alone") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    REQUIRE(journal.append(record("a", 1, {{"x", "1\n2"}})));
    CHECK(text_of(here.file()) == "{\"checksum\":\"c4ce2e931b49cb34\",\"content\":{\"x\":\"1\\n2\"},\"number\":1,\"run\":\"a\"}\n");
    struct stat facts = {};
    REQUIRE(::stat(here.file().c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
}

TEST_CASE("a last record that was written by half is cut off, wherever it was cut, and the journal goes on behind the whole ones") {
    const folder here;
    const std::string line = *ai::detail::encode_line(record("a", 1, {{"x", "y"}}));
    const std::string next = *ai::detail::encode_line(record("a", 2, {{"x", "y"}}));
    for (std::size_t kept = 0; kept < next.size(); ++kept) {
        INFO(kept << " bytes of the record");
        // As a crash of the program leaves it, and as a failing power supply may.
        for (const std::string& rest : {next.substr(0, kept), next.substr(0, kept) + std::string(next.size() - kept, '\0'),
                                        next.substr(0, kept) + std::string(next.size() - kept - 1, '\0') + "\n"}) {
            if (rest == next) {
                continue;  // nothing is missing but zeros
            }
            write(here.file(), line + rest);
            ai::file_journal journal = opened(here.file());
            CHECK(told_by(journal) == "a1");
            CHECK(text_of(here.file()) == line);
            REQUIRE(journal.append(record("a", 2)));
            CHECK(told_by(journal) == "a1 a2");
        }
    }
}

TEST_CASE("a record that was changed by one bit is refused, wherever it is") {
    std::string text;
    for (std::uint64_t number = 1; number <= 3; ++number) {
        text += *ai::detail::encode_line(
            record("a", number, {{"text", "@ \"quoted\" {[ \\ and more"}, {"input", {{"invoking", {{"call", 2}}}}}}));
    }
    std::size_t accepted = 0;
    for (std::size_t bit = 0; bit < 8 * text.size(); ++bit) {
        std::string changed = text;
        changed[bit / 8] = static_cast<char>(changed[bit / 8] ^ (1 << bit % 8));
        const auto read = ai::detail::read_lines(changed);
        accepted += read ? 1 : 0;
    }
    CHECK(accepted == 0);
}

TEST_CASE("a record in which a sector is missing was never whole") {
    const std::string line = *ai::detail::encode_line(record("a", 1));
    const std::string next = *ai::detail::encode_line(record("a", 2, {{"text", std::string(2000, 'x')}}));
    std::string torn = line + next;
    torn.replace(512, 512, std::string(512, '\0'));
    const auto read = ai::detail::read_lines(torn);
    REQUIRE(read);
    CHECK(read->whole == line.size());
}

TEST_CASE("lines of an earlier version have no checksum, and none comes behind one that has") {
    const std::string old = R"({"content":{},"number":1,"run":"a"})"
                            "\n";
    const std::string next = *ai::detail::encode_line(record("a", 2));
    CHECK(ai::detail::read_lines(old + next)->runs[0].records.size() == 2);
    CHECK_FALSE(ai::detail::read_lines(next + old + next));
}

TEST_CASE("a file that is no journal is refused, with the line, and left as it is") {
    const folder here;
    const std::string line = *ai::detail::encode_line(record("a", 1));
    const std::pair<std::string, const char*> others[] = {
        {"dear diary", "line 1 "},
        {"{\"name\": \"config\"}\n", "line 1 "},
        {line + "damaged\n" + line, "line 2 "},
        {line + line.substr(0, line.size() / 2) + "\n" + line, "line 2 "},
        {line + "\n", "line 2 "},
        {"{\"content\":{},\"number\":0,\"run\":\"a\"}\n" + line, "line 1 "},
        {"{\"content\":{},\"number\":1}\n" + line, "line 1 "},
        {"{\"content\":1,\"number\":1,\"run\":\"a\"}\n" + line, "line 1 "},
        // The last line too, when it is whole: what it says may have had an effect.
        {line + "{\"content\":{},\"number\":-1,\"run\":\"a\"}\n", "line 2 "},
        {line + "{\"content\":{},\"number\":2,\"ran\":\"a\"}\n", "line 2 "},
    };
    for (const auto& [text, where] : others) {
        INFO(text);
        write(here.file(), text);
        const auto journal = ai::file_journal::open(here.file());
        REQUIRE_FALSE(journal);
        CHECK(journal.error().code == ai::errc::bad_response);
        CHECK(journal.error().message.find(where) != std::string::npos);
        CHECK(journal.error().message.find(here.file()) != std::string::npos);
        CHECK(text_of(here.file()) == text);
    }
}

TEST_CASE("a removed run leaves the file, but not its number") {
    const folder here;
    const json long_text = {{"text", std::string(5000, 'x')}};
    {
        ai::file_journal journal = opened(here.file());
        for (const auto& [id, number] : {std::pair("b", 1), {"a", 1}, {"b", 2}, {"a", 2}, {"a", 3}}) {
            REQUIRE(journal.append(record(id, static_cast<std::uint64_t>(number), long_text)));
        }
        REQUIRE(journal.remove(std::vector<std::string>{"a", "not here"}));
        CHECK(told_by(journal) == "b1 b2");
        CHECK(text_of(here.file()).size() < 11'000);
        CHECK(ai::file_journal::open(here.file()).error().code == ai::errc::busy);
        REQUIRE(journal.append(record("b", 3)));
        CHECK(told_by(journal) == "b1 b2 b3");
    }
    ai::file_journal journal = opened(here.file());
    CHECK(told_by(journal) == "b1 b2 b3");
    CHECK(journal.claim("a", 2).error().code == ai::errc::lease_lost);
    CHECK(journal.claim("a", 3));
    REQUIRE(journal.append({.run_id = "a", .number = 4, .owner = 1, .content = json::object()}));
    CHECK(told_by(journal) == "b1 b2 b3 a4");
    struct stat facts = {};
    REQUIRE(::stat(here.file().c_str(), &facts) == 0);
    CHECK((facts.st_mode & 0777) == 0600);
}

TEST_CASE("a journal that cannot be replaced is the old one, and goes on") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    REQUIRE(journal.append(record("a", 1)));
    REQUIRE(journal.append(record("b", 1)));
    std::filesystem::create_directory(here.file("runs.jsonl.compacting"));
    CHECK_FALSE(journal.remove(std::vector<std::string>{"a"}));
    CHECK(told_by(journal) == "a1 b1");
    REQUIRE(journal.append(record("b", 2)));
    CHECK(told_by(journal) == "a1 b1 b2");
    std::filesystem::remove(here.file("runs.jsonl.compacting"));
    write(here.file("runs.jsonl.compacting"), "left by a crash");
    CHECK(journal.remove(std::vector<std::string>{"a"}));
    CHECK(told_by(journal) == "b1 b2");
    CHECK_FALSE(std::filesystem::exists(here.file("runs.jsonl.compacting")));
}

TEST_CASE("the file that is replaced is the one that was opened, whatever its name means by then") {
    const folder here;
    const folder elsewhere;
    std::filesystem::create_symlink(here.file(), elsewhere.file("link"));
    const auto before = std::filesystem::current_path();
    {
        ai::file_journal journal = opened(elsewhere.file("link"));
        REQUIRE(journal.append(record("a", 1)));
        REQUIRE(journal.remove(std::vector<std::string>{"a"}));
        CHECK(std::filesystem::is_symlink(elsewhere.file("link")));
        CHECK(ai::file_journal::open(here.file()).error().code == ai::errc::busy);
    }
    std::filesystem::current_path(std::filesystem::path(here.file()).parent_path());
    ai::file_journal relative = opened("runs.jsonl");
    std::filesystem::current_path(std::filesystem::path(elsewhere.file()).parent_path());
    CHECK(relative.remove(std::vector<std::string>{"a"}));
    std::filesystem::current_path(before);
    CHECK_FALSE(std::filesystem::exists(elsewhere.file()));
    CHECK(std::filesystem::exists(here.file()));
}

TEST_CASE("a run that is removed while it is written has lost its lease, and another journal beside is left alone") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    const std::uint64_t owner = *journal.claim("a", 0);
    REQUIRE(journal.append({.run_id = "a", .number = 1, .owner = owner, .content = json::object()}));
    {
        ai::file_journal beside = opened(here.file("runs.jsonl.compacting"));
        REQUIRE(beside.append(record("b", 1)));
        CHECK(journal.remove(std::vector<std::string>{"a"}).error().code == ai::errc::busy);
        CHECK(told_by(beside) == "b1");
    }
    REQUIRE(journal.remove(std::vector<std::string>{"a"}));
    CHECK(journal.append({.run_id = "a", .number = 2, .owner = owner, .content = json::object()}).error().code == ai::errc::lease_lost);
    CHECK(told_by(journal).empty());
}

TEST_CASE("one file has one journal at a time") {
    const folder here;
    {
        const ai::file_journal journal = opened(here.file());
        const auto second = ai::file_journal::open(here.file());
        REQUIRE_FALSE(second);
        CHECK(second.error().code == ai::errc::busy);
    }
    opened(here.file());
}

TEST_CASE("a file that cannot be had is a failure that says why") {
    const folder here;
    CHECK(ai::file_journal::open(here.file("missing/runs.jsonl")).error().code == ai::errc::not_found);
    const auto directory = ai::file_journal::open(std::filesystem::path(here.file()).parent_path().string());
    CHECK(directory.error().code == ai::errc::invalid_argument);
    REQUIRE(::mkfifo(here.file("pipe").c_str(), 0600) == 0);
    CHECK(ai::file_journal::open(here.file("pipe")).error().code == ai::errc::invalid_argument);
    CHECK_FALSE(ai::file_journal::open(here.file("pipe")).error().hint.empty());
}

TEST_CASE("a record for which there is no space is taken back, and there may be space again") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    REQUIRE(journal.append(record("a", 1)));
    const std::string before = text_of(here.file());
    {
        const small_disk disk(before.size() + 10);
        const auto kept = journal.append(record("a", 2));
        REQUIRE_FALSE(kept);
        CHECK(kept.error().code == ai::errc::unavailable);
    }
    CHECK(text_of(here.file()) == before);
    REQUIRE(journal.append(record("a", 2)));
    CHECK(told_by(journal) == "a1 a2");
}

TEST_CASE("a record that could not be read again is not written") {
    const folder here;
    ai::file_journal journal = opened(here.file());
    json deep = json::object();
    for (std::size_t i = 2; i < ai::max_json_depth; ++i) {
        deep = json{{"x", std::move(deep)}};
    }
    REQUIRE(journal.append(record("a", 1, deep)));
    deep = json{{"x", std::move(deep)}};
    CHECK(journal.append(record("a", 2, deep)).error().code == ai::errc::too_large);
    CHECK(told_by(journal) == "a1");
}
