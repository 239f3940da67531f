#include <pyaichat/message/money.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("an amount of dollars is kept in millionths") {
    CHECK(ai::dollars(0.5) == ai::money{.micro_dollars = 500'000});
    CHECK(ai::dollars(0.000'000'4) == ai::money{});
    CHECK(ai::dollars(1e300).micro_dollars > 1'000'000'000'000);
    CHECK(ai::dollars(-1e300) < ai::money{});
    CHECK(ai::dollars(std::numeric_limits<double>::quiet_NaN()) == ai::money{});
}

TEST_CASE("an amount is shown with its cents and with as many decimals as it has") {
    CHECK(to_string(ai::money{}) == "$0.00");
    CHECK(to_string(ai::dollars(0.5)) == "$0.50");
    CHECK(to_string(ai::dollars(12)) == "$12.00");
    CHECK(to_string(ai::dollars(1.0025)) == "$1.0025");
    CHECK(to_string(ai::money{.micro_dollars = 1}) == "$0.000001");
    CHECK(to_string(ai::money{.micro_dollars = -1'500'000}) == "-$1.50");
    CHECK(to_string(ai::money{.micro_dollars = std::numeric_limits<std::int64_t>::min()}) == "-$9223372036854.775808");
}

TEST_CASE("a sum of amounts does not overflow, and a negative amount does not reduce it") {
    ai::money sum = ai::dollars(1);
    sum += ai::dollars(-0.5);
    CHECK(sum == ai::dollars(1));
    sum += ai::money{.micro_dollars = std::numeric_limits<std::int64_t>::max()};
    CHECK(sum.micro_dollars == std::numeric_limits<std::int64_t>::max());
}
