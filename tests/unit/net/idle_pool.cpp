#include <pyaichat/net/adapter/idle_pool.hpp>

#include "catch.hpp"

#include <memory>
#include <set>

namespace {

struct client {
    explicit client(int its_number, std::multiset<int>& living) : number(its_number), all(living) { all.insert(number); }
    client(const client&) = delete;
    client& operator=(const client&) = delete;
    ~client() { all.erase(number); }
    [[nodiscard]] bool reusable() const { return open; }
    int number;
    bool open = true;
    std::multiset<int>& all;
};

}  // namespace

TEST_CASE("a pool of an adapter gives the client that was used last, for the same origin, and drops those that are closed") {
    std::multiset<int> living;
    pyaichat::net::adapter::idle_pool<client> pool;
    CHECK(pool.take("a") == nullptr);
    for (const int number : {1, 2, 3}) {
        auto each = std::make_unique<client>(number, living);
        each->open = number != 3;
        pool.give_back("a", std::move(each));
    }
    CHECK(pool.take("b") == nullptr);
    CHECK(pool.take("a")->number == 2);
    CHECK(living == std::multiset<int>{1});
}

TEST_CASE("a pool of an adapter keeps eight clients for an origin") {
    std::multiset<int> living;
    pyaichat::net::adapter::idle_pool<client> pool;
    for (int number = 0; number < 10; ++number) {
        pool.give_back("a", std::make_unique<client>(number, living));
    }
    CHECK(living.size() == 8);
    CHECK(*living.begin() == 2);
}
