#include "assistant/log_file.hpp"

#include "catch.hpp"

#include <unistd.h>

#include <cstdlib>
#include <fstream>
#include <iterator>

namespace ai = pyaichat;

namespace {

class temporary_file {
public:
    temporary_file() {
        const int file = ::mkstemp(name_);
        REQUIRE(file >= 0);
        ::close(file);
    }
    temporary_file(const temporary_file&) = delete;
    temporary_file& operator=(const temporary_file&) = delete;
    ~temporary_file() { ::unlink(name_); }

    [[nodiscard]] const char* name() const { return name_; }
    [[nodiscard]] std::string text() const {
        std::ifstream file(name_);
        return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    }

private:
    char name_[32] = "/tmp/pyaichat-log-XXXXXX";
};

}  // namespace

TEST_CASE("a secret is left out wherever it occurs, escaped or not") {
    const temporary_file file;
    const std::string secret = "se\"cret\\key";
    {
        repl::log_file log;
        REQUIRE(log.open(file.name(), {secret, ""}).has_value());
        log.write({.number = 1, .run_id = "r", .data = ai::run_started{.question = "is " + secret + secret + " mine?"}});
        log.write({.number = 2, .run_id = "r", .data = ai::run_finished{.reason = ai::stop_reason::complete}});
    }
    const std::string text = file.text();
    const auto first = ai::parse_json(std::string_view(text).substr(0, text.find('\n')));
    REQUIRE(first.has_value());
    CHECK(ai::string_member(*first, "question") == "is ****** mine?");
    CHECK(ai::string_member(*first, "event") == "run_started");
    CHECK(ai::integer_member(*first, "number") == 1);
    CHECK(text.find("cret") == std::string::npos);
    CHECK(text.find("\"reason\":\"complete\"") != std::string::npos);
}

TEST_CASE("a log that cannot be opened is a failure that names it, and writing without one does nothing") {
    repl::log_file log;
    const auto opened = log.open("/dev/null/log", {});
    REQUIRE_FALSE(opened.has_value());
    CHECK(opened.error().message.find("/dev/null/log") != std::string::npos);
    log.write({.number = 1, .data = ai::run_started{}});
}

TEST_CASE("a log that cannot be written has a gap that says why") {
    repl::log_file log;
    REQUIRE(log.open("/dev/full", {}).has_value());
    CHECK(log.gap().empty());
    log.write({.number = 1, .data = ai::run_started{}});
    CHECK(log.gap().find("/dev/full") != std::string::npos);
}
