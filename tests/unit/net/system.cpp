#include "net/system.hpp"

#include "catch.hpp"

namespace net = pyaichat::net;

TEST_CASE("addresses are told from names") {
    CHECK(net::is_numeric_address("127.0.0.1"));
    CHECK(net::is_numeric_address("fe80::1"));
    CHECK_FALSE(net::is_numeric_address("localhost"));
}
