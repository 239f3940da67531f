#include <pyaichat/net/adapter/name_lookup.hpp>

#include "catch.hpp"

#include <atomic>
#include <chrono>
#include <future>
#include <memory>
#include <string>
#include <thread>
#include <vector>

namespace ai = pyaichat;
using ai::net::adapter::name_lookup;
using namespace std::chrono_literals;
using clock_type = std::chrono::steady_clock;

TEST_CASE("an adapter looks up names, but neither addresses nor localhost") {
    std::atomic<int> asked = 0;
    name_lookup names([&](const std::string&) {
        ++asked;
        return ai::result<std::vector<std::string>>(std::vector<std::string>{"192.0.2.1", "2001:db8::1"});
    });
    const auto later = clock_type::now() + 10s;
    CHECK(names.find("127.0.0.1", later, {})->at(0) == "127.0.0.1");
    CHECK(names.find("::1", later, {})->at(0) == "::1");
    CHECK(names.find("localhost", later, {})->size() == 2);
    CHECK(asked == 0);
    CHECK(names.find("example.org", later, {})->size() == 2);
    CHECK(asked == 1);
}

TEST_CASE("an adapter abandons a lookup that hangs, and asks once for those who wait for the same name") {
    std::promise<void> answered;
    const auto gate = std::make_shared<std::shared_future<void>>(answered.get_future());
    const auto asked = std::make_shared<std::atomic<int>>(0);
    name_lookup names([gate, asked](const std::string&) {
        ++*asked;
        gate->wait();
        return ai::result<std::vector<std::string>>(std::vector<std::string>{"192.0.2.1"});
    });
    CHECK(names.find("example.org", clock_type::now() + 20ms, {}).error().code == ai::errc::timeout);
    ai::cancel_source stop;
    std::thread canceller([&] { stop.request_stop(); });
    CHECK_FALSE(names.find("example.org", clock_type::now() + 10s, stop.get_token()));
    canceller.join();
    CHECK(*asked == 1);
    answered.set_value();
    CHECK(names.find("example.org", clock_type::now() + 10s, {}));
}

TEST_CASE("an adapter resolves what the system resolves") {
    const auto found = ai::net::adapter::look_up_addresses("localhost");
    REQUIRE(found);
    CHECK_FALSE(found->empty());
    CHECK(ai::net::adapter::look_up_addresses("no such name").error().code == ai::errc::connection_failed);
}
