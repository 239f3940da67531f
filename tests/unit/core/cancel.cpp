#include <pyaichat/core/cancel.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("a token is tripped with its source and stays so") {
    ai::cancel_source source;
    const ai::cancel_token token = source.get_token();
    int called = 0;
    const auto count = [&] { ++called; };
    const ai::cancel_callback<decltype(count)> callback(token, count);
    CHECK_FALSE(token.stop_requested());
    source.request_stop();
    source.request_stop();
    CHECK(token.stop_requested());
    CHECK(called == 1);
}

TEST_CASE("a default token is never tripped") {
    const ai::cancel_token token;
    CHECK_FALSE(token.stop_possible());
    CHECK_FALSE(token.stop_requested());
}
