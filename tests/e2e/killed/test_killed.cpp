// Kills a program at every record of its journal, in every way, and lets it go on: what must not be repeated is not, and no reply is lost.
#include <pyaichat/agent/recover.hpp>
#include <pyaichat/runtime/file_journal.hpp>

#include "catch.hpp"

#include <spawn.h>
#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

extern char** environ;

namespace ai = pyaichat;
using ai::json;

namespace {

/// What a journal tells of its one run.
struct story {
    std::vector<ai::journal_record> records = {};
    std::map<std::int64_t, json> replies = {};  ///< by call
    std::set<std::int64_t> begun = {};          ///< calls with an intent and without a reply
    std::size_t model_results = 0;
};

story read_story(const std::filesystem::path& journal) {
    const auto file = ai::file_journal::open(journal.string());
    REQUIRE(file);
    const auto runs = file->runs();
    REQUIRE(runs);
    REQUIRE(runs->size() <= 1);
    story told;
    if (runs->empty()) {
        return told;
    }
    told.records = runs->front().records;
    for (const ai::journal_record& record : told.records) {
        const json input = record.content.value("input", json::object());
        if (input.contains("invoking")) {
            told.begun.insert(input["invoking"]["call"].get<std::int64_t>());
        } else if (input.contains("call_reply")) {
            const auto call = input["call_reply"]["call"].get<std::int64_t>();
            told.begun.erase(call);
            told.replies[call] = input["call_reply"]["reply"]["result"];
        } else if (input.contains("model_result")) {
            ++told.model_results;
        }
    }
    return told;
}

/// A program's life and lives, in a folder of its own.
class patient {
public:
    patient() {
        std::string name = (std::filesystem::temp_directory_path() / "pyaichat-killed-XXXXXX").string();
        REQUIRE(::mkdtemp(name.data()) != nullptr);
        folder_ = name;
    }
    patient(const patient&) = delete;
    patient& operator=(const patient&) = delete;
    ~patient() { std::filesystem::remove_all(folder_); }

    /// Starts the program, and compares what it does with what was known before. Its exit status: 9 when it was killed.
    int live(int dies_at = 0, const std::string& how = "never") {
        const story before = read_story(folder_ / "journal.jsonl");
        const std::vector<std::string> done_before = world();
        const int status = start({PYAICHAT_KILLED_RUN, folder_.string(), std::to_string(dies_at), how});

        std::vector<std::string> done = world();
        done.erase(done.begin(), done.begin() + static_cast<std::ptrdiff_t>(done_before.size()));
        std::size_t asked = 0;
        for (const std::string& line : done) {
            INFO("it did: " << line);
            if (line == "model") {
                ++asked;
                continue;
            }
            const std::string name = line.substr(0, line.find(' '));
            const std::int64_t call = std::stoll(line.substr(line.find(' ') + 1));
            CHECK(before.replies.count(call) == 0);  // what was replied before is not asked for again
            CHECK((before.begun.count(call) == 0 || name == "look" || name == "set"));
        }
        CHECK(asked <= 3 - before.model_results);
        for (const std::int64_t call : before.begun) {
            doubtful_.insert(call);
        }
        return status;
    }

    /// What it has come to: one answer, every call replied to, by the process that the journal says.
    void check_end() {
        const story told = read_story(folder_ / "journal.jsonl");
        ai::result<ai::recovered_run> run = ai::recover(told.records, ai::instant());
        REQUIRE(run);
        const auto* finished = std::get_if<ai::action::finished>(&run->machine.next(ai::instant()));
        REQUIRE(finished != nullptr);
        CHECK(finished->answer.text == "Done.");
        std::map<std::string, int> times;
        for (const std::string& line : world()) {
            ++times[line];
        }
        std::int64_t call = 0;
        for (const ai::message& one : finished->answer.messages) {
            for (const ai::part& piece : one.parts) {
                const auto* reply = piece.as<ai::response_part>();
                if (reply == nullptr) {
                    continue;
                }
                ++call;
                INFO("call " << call << ": " << reply->response.dump());
                const int ran = times[reply->name + " " + std::to_string(call)];
                const bool must_not_be_repeated = reply->name == "heal" || reply->name == "pay";
                if (reply->response["ok"] == true) {
                    REQUIRE(told.replies.count(call) == 1);
                    CHECK(reply->response["result"] == told.replies.at(call));
                    CHECK(ran >= 1);
                    CHECK((ran == 1 || !must_not_be_repeated));
                } else {
                    CHECK(reply->response["error"]["code"] == "in_doubt");
                    CHECK(must_not_be_repeated);
                    CHECK(doubtful_.count(call) == 1);
                    CHECK(ran <= 1);
                    ++doubts;
                }
            }
        }
        CHECK(call == 4);
    }

    int doubts = 0;

private:
    [[nodiscard]] std::vector<std::string> world() const {
        std::ifstream in(folder_ / "world");
        std::vector<std::string> lines;
        for (std::string line; std::getline(in, line);) {
            lines.push_back(line);
        }
        return lines;
    }

    static int start(std::vector<std::string> words) {
        std::vector<char*> arguments;
        for (std::string& word : words) {
            arguments.push_back(word.data());
        }
        arguments.push_back(nullptr);
        pid_t child = 0;
        REQUIRE(::posix_spawn(&child, arguments[0], nullptr, nullptr, arguments.data(), environ) == 0);
        int status = 0;
        REQUIRE(::waitpid(child, &status, 0) == child);
        REQUIRE(WIFEXITED(status));
        return WEXITSTATUS(status);
    }

    std::filesystem::path folder_;
    std::set<std::int64_t> doubtful_;
};

}  // namespace

TEST_CASE("a program that is killed at any record goes on: no effect twice, no reply lost") {
    for (const char* how : {"before", "half", "after"}) {
        int doubts = 0;
        int record = 1;
        for (;; ++record) {
            INFO("killed " << how << " record " << record);
            patient program;
            const int status = program.live(record, how);
            if (status == 0) {
                program.check_end();
                break;
            }
            REQUIRE(status == 9);
            REQUIRE(program.live() == 0);
            program.check_end();
            doubts += program.doubts;
        }
        INFO(how);
        CHECK(record > 15);  // it was killed at every record that there is
        // Once for each of the two calls that must not be repeated, in the moment between its intent and its reply; "half" and "before" of
        // the reply are that moment too, "after" the intent is.
        CHECK(doubts == 2);
    }
}

TEST_CASE("a program that is killed again while it goes on does so too") {
    for (int first = 2;; first += 3) {
        int status = 9;
        for (int second = 1; status == 9; second += 2) {
            INFO("killed after record " << first << ", and after record " << second << " from there");
            patient program;
            if (program.live(first, "after") == 0) {
                CHECK(first > 15);
                return;
            }
            status = program.live(second, "after");
            if (status == 9) {
                REQUIRE(program.live() == 0);
            }
            program.check_end();
        }
        REQUIRE(status == 0);
    }
}
