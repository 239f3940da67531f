#include "net/resolver.hpp"

#include "catch.hpp"
#include "process_counts.hpp"

#include <atomic>
#include <condition_variable>
#include <future>

namespace ai = pyaichat;
namespace net = pyaichat::net;
using namespace std::chrono_literals;
using std::chrono::steady_clock;

namespace {

/// A name server that does not answer until it is told to.
struct slow_names {
    std::shared_ptr<std::promise<void>> gate = std::make_shared<std::promise<void>>();
    std::shared_ptr<std::atomic<int>> asked = std::make_shared<std::atomic<int>>(0);

    [[nodiscard]] net::resolver::lookup lookup() const {
        return [open = std::shared_future<void>(gate->get_future()),
                asked = asked](const std::string&) -> ai::result<std::vector<std::string>> {
            ++*asked;
            open.wait();
            return std::vector<std::string>{"127.0.0.1"};
        };
    }
};

}  // namespace

TEST_CASE("a name is resolved to the addresses that the look-up gives") {
    net::resolver names([](const std::string& host) -> ai::result<std::vector<std::string>> {
        if (host == "known") {
            return std::vector<std::string>{"127.0.0.1", "::1"};
        }
        return ai::failure{.code = ai::errc::connection_failed, .message = "no " + host};
    });
    CHECK(names.resolve("known", steady_clock::now() + 5s, {})->size() == 2);
    const auto unknown = names.resolve("unknown", steady_clock::now() + 5s, {});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().message == "no unknown");
}

TEST_CASE("a look-up that hangs is left at the deadline and at a cancel, and all who ask share it") {
    const slow_names slow;
    net::resolver names(slow.lookup());
    const auto before = count_process();
    for (int i = 0; i < 20; ++i) {
        const auto late = names.resolve("slow.example", steady_clock::now() + 1ms, {});
        REQUIRE_FALSE(late);
        CHECK(late.error().code == ai::errc::timeout);
        ai::cancel_source stop;
        stop.request_stop();
        const auto cancelled = names.resolve("slow.example", steady_clock::now() + 5s, stop.get_token());
        REQUIRE_FALSE(cancelled);
        CHECK(cancelled.error().code == ai::errc::cancelled);
    }
    CHECK(*slow.asked <= 1);
    CHECK(count_process().threads <= before.threads + 1);
    slow.gate->set_value();
    CHECK(names.resolve("slow.example", steady_clock::now() + 5s, {}));
}

TEST_CASE("a resolver may go away while a look-up hangs") {
    const slow_names slow;
    const auto before = count_process();
    {
        net::resolver names(slow.lookup());
        CHECK_FALSE(names.resolve("slow.example", steady_clock::now() + 1ms, {}));
    }
    slow.gate->set_value();
    CHECK(settles([&] { return count_process().threads <= before.threads; }));
}
