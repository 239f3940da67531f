#include "net/retry_delay.hpp"

#include "catch.hpp"

#include <chrono>

namespace net = pyaichat::net;
using namespace std::chrono_literals;

TEST_CASE("durations and dates that are none are no wait") {
    for (const char* text : {"", "s", "56", "-1s", "1e3s", "1.2.3s", " 5s", "-99999999999999s", "1.-5s"}) {
        CAPTURE(text);
        CHECK_FALSE(net::parse_duration(text));
    }
    CHECK(net::parse_duration("1s") == 1s);
    CHECK(net::parse_duration("0.5s") == 500ms);
    CHECK(net::parse_duration("315576000000s").value() > 24h * 365);
    CHECK(net::parse_retry_after("99999999999999999999", {}).value() > 24h * 365);
    CHECK(net::parse_duration("1.0000000019s") == 1s + 1ns);
    const auto now = std::chrono::sys_days(std::chrono::year(2026) / 11 / 21) + 22h;
    CHECK(net::parse_retry_after("Sat, 21 Nov 2026 21:00:00 GMT", now) == 0s);
    CHECK(net::parse_retry_after("Tue, 24 Nov 2026 22:00:00 GMT", now) == 72h);
    for (const char* text :
         {"", "soon", "Sat, 21 Xyz 2026 22:00:00 GMT", "Sat, 31 Feb 2026 22:00:00 GMT", "Sat, 21 Nov 2026 22:00:00 CET"}) {
        CAPTURE(text);
        CHECK_FALSE(net::parse_retry_after(text, now));
    }
}

TEST_CASE("sums of durations are read, also from the words of a message") {
    CHECK(net::parse_compound_duration("6m0s") == 6min);
    CHECK(net::parse_compound_duration("1h2m3.5s") == 1h + 2min + 3500ms);
    CHECK(net::parse_compound_duration("12ms") == 12ms);
    for (const char* text : {"", "5", "m", "1x", "1d", "999999999999h", "-1s", "1.2.3s"}) {
        CAPTURE(text);
        CHECK_FALSE(net::parse_compound_duration(text));
    }
    CHECK(net::delay_in_words("Please retry in 539.5ms.") == std::chrono::microseconds(539'500));
    CHECK(net::delay_in_words("Rate limit reached. Please try again in 6m0s. Visit") == 6min);
    CHECK_FALSE(net::delay_in_words("Please try again in a moment."));
}
