#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/runtime/file_journal.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <csignal>
#include <filesystem>
#include <future>
#include <memory>
#include <thread>
#include <vector>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;
using namespace std::chrono_literals;

namespace {

/// Counts how many of its calls run at the same time.
struct busy_model {
    struct counts {
        std::atomic<int> running = 0;
        std::atomic<int> most = 0;
    };
    std::shared_ptr<counts> seen = std::make_shared<counts>();

    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) const {
        const int now = ++seen->running;
        for (int most = seen->most; now > most && !seen->most.compare_exchange_weak(most, now);) {
        }
        for (int i = 0; i < 10; ++i) {
            std::this_thread::yield();
        }
        --seen->running;
        return fake::response_of(ai::model_message("Hello."));
    }
};

/// Blocks until it is released; ignores its token.
struct stuck_model {
    std::shared_ptr<std::promise<void>> entered = std::make_shared<std::promise<void>>();
    std::shared_future<void> released = {};

    ai::result<ai::model_response> complete(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&) const {
        entered->set_value();
        released.wait();
        return fake::response_of(ai::model_message("Hello."));
    }
};

/// Runs `body` in a child process, and returns its result; -1 if the child has not ended after 20 s.
template <class Body>
int in_child(Body body) {
    std::array<int, 2> ends{};
    REQUIRE(::pipe(ends.data()) == 0);
    const pid_t child = ::fork();
    if (child == 0) {
        ::_exit(body());
    }
    ::close(ends[1]);  // the child has the only other one: the pipe ends with it
    pollfd end{.fd = ends[0], .events = POLLIN, .revents = 0};
    const bool ended = ::poll(&end, 1, 20'000) == 1;
    ::close(ends[0]);
    if (!ended) {
        ::kill(child, SIGKILL);
    }
    int status = 0;
    REQUIRE(::waitpid(child, &status, 0) == child);
    return ended && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace

TEST_CASE("two agents share the threads of one executor") {
    const busy_model model;
    // [shared]
    const ai::thread_executor threads({.max_threads = 2});
    ai::agent first{model, {}, {}, {}, threads};
    ai::agent second{model, {}, {}, {}, threads};
    // [/shared]
    std::vector<ai::run> runs;
    for (int i = 0; i < 4; ++i) {
        runs.push_back(first.ask("question"));
        runs.push_back(second.ask("question"));
    }
    for (ai::run& run : runs) {
        run.pump();
        CHECK(threads.thread_count() <= 2);
    }
    for (ai::run& run : runs) {
        CHECK(run.wait().text == "Hello.");
    }
    CHECK(threads.thread_count() <= 2);
    CHECK(model.seen->most <= 2);
}

TEST_CASE("an agent that is destroyed leaves a shared executor to the others") {
    const ai::thread_executor threads;
    ai::agent second{fake::scripted_provider{fake::say("Hello.")}, {}, {}, {}, threads};
    {
        const ai::agent first{ai::no_provider{}, {}, {}, {}, threads};
    }
    CHECK(second.ask("question").wait().text == "Hello.");
}

TEST_CASE("after a fork, a model call of the child fails at once and says what to do") {
    ai::agent agent{fake::scripted_provider{fake::say("one"), fake::say("two"), fake::say("three")}};
    REQUIRE(agent.ask("question").wait().text == "one");
    CHECK(in_child([&] {
              const auto from = std::chrono::steady_clock::now();
              const ai::answer reply = agent.ask("question").wait();
              const bool told = reply.reason == ai::stop_reason::provider_failed && reply.error &&
                                reply.error->code == ai::errc::invalid_state &&
                                reply.error->message.find("forked after the thread_executor was started") != std::string::npos &&
                                reply.text.find("make a new agent") != std::string::npos;
              return told && std::chrono::steady_clock::now() - from < 5s ? 7 : 1;
          }) == 7);
    CHECK(agent.ask("question").wait().text == "two");
}

TEST_CASE("a child process destroys an agent and a run in flight without waiting, also with a borrowed provider") {
    std::promise<void> release;
    const stuck_model model{.released = release.get_future().share()};
    std::future<void> entered = model.entered->get_future();
    auto agent =
        std::make_unique<ai::basic_agent<ai::borrowed<const stuck_model>, ai::no_capabilities>>(ai::borrow(model), ai::no_capabilities{});
    auto run = std::make_unique<ai::run>(agent->ask("question"));
    run->pump();
    entered.wait();
    CHECK(in_child([&] {
              run.reset();
              agent.reset();
              return 7;
          }) == 7);
    release.set_value();
    CHECK(run->wait().text == "Hello.");
}

TEST_CASE("a child process uses an agent that the parent had not asked, and agents of its own") {
    ai::agent fresh{fake::scripted_provider{fake::say("fresh")}};
    CHECK(in_child([&] {
              ai::agent own{fake::scripted_provider{fake::say("own")}};
              return fresh.ask("question").wait().text == "fresh" && own.ask("question").wait().text == "own" ? 7 : 1;
          }) == 7);
    CHECK(fresh.ask("question").wait().text == "fresh");
}

TEST_CASE("a child process cannot write the journal of its parent") {
    const std::string path = (std::filesystem::temp_directory_path() / ("pyaichat-fork-" + std::to_string(::getpid()))).string();
    ai::result<ai::file_journal> journal = ai::file_journal::open(path);
    REQUIRE(journal);
    REQUIRE(journal->append({.run_id = "run", .number = 1, .content = ai::json::object()}));
    CHECK(in_child([&] {
              const ai::result<void> written = journal->append({.run_id = "run", .number = 2, .content = ai::json::object()});
              return !written && written.error().code == ai::errc::invalid_state ? 7 : 1;
          }) == 7);
    REQUIRE(journal->append({.run_id = "run", .number = 2, .content = ai::json::object()}));
    CHECK(journal->runs()->at(0).records.size() == 2);
    std::filesystem::remove(path);
}

TEST_CASE("an executor may say why it cannot run tasks") {
    struct closed {
        void submit(ai::task) {}
        [[nodiscard]] ai::result<void> check() const { return ai::failure{.code = ai::errc::busy, .hint = "Closed for today."}; }
    };
    closed executor;
    ai::basic_agent agent{ai::no_provider{}, ai::no_capabilities{}, {}, ai::steady_clock{}, ai::borrow(executor)};
    CHECK(agent.ask("question").wait().text == "Closed for today.");
}
