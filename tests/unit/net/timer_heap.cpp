#include "net/timer_heap.hpp"

#include "catch.hpp"

#include <algorithm>
#include <memory>
#include <random>
#include <vector>

namespace net = pyaichat::net;
using time_point = net::timer_heap::time_point;
using std::chrono::seconds;

namespace {

void expire(net::timer_heap& heap, time_point now) {
    while (heap.expire_first(now)) {
    }
}

}  // namespace

TEST_CASE("timers expire in the order of their times, and not before") {
    net::timer_heap heap;
    CHECK(heap.first() == time_point::max());
    std::vector<int> expired;
    std::vector<std::unique_ptr<net::timer>> timers;
    std::vector<int> times(100);
    std::mt19937 random(1);
    for (int& at : times) {
        at = static_cast<int>(random() % 50);
        timers.push_back(std::make_unique<net::timer>(heap, [&expired, at] { expired.push_back(at); }));
        timers.back()->set(time_point(seconds(at)));
    }
    std::sort(times.begin(), times.end());
    CHECK(heap.first() == time_point(seconds(times.front())));
    expire(heap, time_point(seconds(20)));
    const auto due = std::upper_bound(times.begin(), times.end(), 20);
    CHECK(expired == std::vector<int>(times.begin(), due));
    expire(heap, time_point(seconds(50)));
    CHECK(expired == times);
    CHECK(heap.first() == time_point::max());
}

TEST_CASE("a timer can be moved, cancelled and destroyed, also by another that expires") {
    net::timer_heap heap;
    int expired = 0;
    auto destroyed = std::make_unique<net::timer>(heap, [&] { ++expired; });
    net::timer cancelled(heap, [&] { ++expired; });
    net::timer moved(heap, [&] { expired += 10; });
    net::timer first(heap, [&] {
        destroyed.reset();
        cancelled.cancel();
        moved.set(time_point(seconds(9)));
    });
    destroyed->set(time_point(seconds(2)));
    cancelled.set(time_point(seconds(2)));
    moved.set(time_point(seconds(2)));
    first.set(time_point(seconds(5)));
    first.set(time_point(seconds(1)));
    expire(heap, time_point(seconds(8)));
    CHECK(expired == 0);
    expire(heap, time_point(seconds(9)));
    CHECK(expired == 10);
}
