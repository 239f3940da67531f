#include "net/service_access.hpp"

#include "catch.hpp"

namespace net = pyaichat::net;

TEST_CASE("a secret is taken out wherever it stands") {
    CHECK(net::redact("a KEY and KEYKEY", "KEY") == "a *** and ******");
    CHECK(net::redact("nothing", "") == "nothing");
    CHECK(net::redact("***", "*") == "*********");
}
