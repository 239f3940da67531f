#include <pyaichat/core/env.hpp>

#include "catch.hpp"

#include <cstdlib>

namespace ai = pyaichat;

TEST_CASE("a variable that is not set is empty") {
    ::setenv("PYAICHAT_TEST_VARIABLE", "value", 1);
    CHECK(ai::env("PYAICHAT_TEST_VARIABLE") == "value");
    ::unsetenv("PYAICHAT_TEST_VARIABLE");
    CHECK(ai::env("PYAICHAT_TEST_VARIABLE").empty());
}
