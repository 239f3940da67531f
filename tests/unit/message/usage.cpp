#include <pyaichat/message/usage.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("usage adds up by kind, and its total counts input and output once") {
    ai::token_usage sum{.input_tokens = 10, .output_tokens = 4, .cached_tokens = 6, .thought_tokens = 3};
    sum += {.input_tokens = 1, .output_tokens = 2, .cached_tokens = 1, .thought_tokens = 1};
    CHECK(sum == ai::token_usage{.input_tokens = 11, .output_tokens = 6, .cached_tokens = 7, .thought_tokens = 4});
    CHECK(sum.total() == 17);
}

TEST_CASE("tokens that are written to the cache add up, and are in the total as input only") {
    ai::token_usage sum{.input_tokens = 10, .cache_write_tokens = 4};
    sum += {.input_tokens = 5, .cache_write_tokens = 3};
    CHECK(sum.cache_write_tokens == 7);
    CHECK(sum.total() == 15);
}

TEST_CASE("counts that a service invents do not overflow") {
    ai::token_usage sum{.input_tokens = std::numeric_limits<std::int64_t>::max(), .output_tokens = 5};
    sum += {.input_tokens = 1, .output_tokens = -7};
    CHECK(sum.input_tokens == std::numeric_limits<std::int64_t>::max());
    CHECK(sum.output_tokens == 5);
    CHECK(sum.total() == std::numeric_limits<std::int64_t>::max());
}
