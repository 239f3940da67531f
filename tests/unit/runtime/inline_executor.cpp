#include <pyaichat/runtime/inline_executor.hpp>

#include "catch.hpp"

TEST_CASE("work has been done when submit returns") {
    int ran = 0;
    pyaichat::inline_executor().submit([&] { ++ran; });
    CHECK(ran == 1);
}
