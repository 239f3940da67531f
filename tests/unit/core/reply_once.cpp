#include <pyaichat/core/detail/reply_once.hpp>

#include "catch.hpp"

#include <utility>
#include <vector>

namespace ai = pyaichat;

namespace {
struct terms {
    static constexpr const char* twice = "answered twice";
    static int when_dropped() { return -1; }
};
struct reply : ai::detail::reply_once<int, terms> {
    using reply_once::release;
    using reply_once::reply_once;
};
}  // namespace

TEST_CASE("one answer is given: the one that was given first, or the one of those that go away") {
    std::vector<int> got;
    const auto owed = [&] { return reply([&](int answer) { got.push_back(answer); }); };
    {
        reply first = owed();
        reply moved = std::move(first);
        CHECK_FALSE(first);
        moved(1);
        CHECK_FALSE(moved);
    }
    CHECK(got == std::vector{1});
    {
        const reply dropped = owed();
    }
    CHECK(got == std::vector{1, -1});
    reply replaced = owed();
    replaced = owed();
    CHECK(got == std::vector{1, -1, -1});
    replaced.release();
    CHECK_FALSE(replaced);
    CHECK(got.size() == 3);
}
