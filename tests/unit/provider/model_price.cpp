#include <pyaichat/provider/model_price.hpp>

#include "catch.hpp"

#include <limits>

namespace ai = pyaichat;

namespace {

const ai::token_prices three_and_fifteen{
    .input = ai::dollars(3), .output = ai::dollars(15), .cached_input = ai::dollars(0.30), .cache_write = ai::dollars(3.75)};

}  // namespace

TEST_CASE("each kind of token has its price") {
    const ai::model_price price{.tokens = three_and_fifteen};
    CHECK(price.cost({.input_tokens = 1'000'000}) == ai::dollars(3));
    CHECK(price.cost({.output_tokens = 2'000'000}) == ai::dollars(30));
    // 1000 fresh, 2000 cached and 4000 written tokens.
    CHECK(
        price.cost({.input_tokens = 7000, .output_tokens = 100, .cached_tokens = 2000, .thought_tokens = 60, .cache_write_tokens = 4000}) ==
        ai::dollars(0.003 + 0.0006 + 0.015 + 0.0015));
}

TEST_CASE("without a price of their own, cached and written tokens cost as much as the others") {
    const ai::model_price price{.tokens = {.input = ai::dollars(1)}};
    CHECK(price.cost({.input_tokens = 1'000'000, .cached_tokens = 400'000, .cache_write_tokens = 300'000}) == ai::dollars(1));
}

TEST_CASE("a cost is rounded up once, not per kind of token") {
    const ai::model_price price{.tokens = {.input = ai::dollars(0.25), .output = ai::dollars(0.25)}};
    CHECK(price.cost({.input_tokens = 1}) == ai::money{.micro_dollars = 1});
    CHECK(price.cost({.input_tokens = 2, .output_tokens = 2}) == ai::money{.micro_dollars = 1});
    CHECK(price.cost({.input_tokens = 3, .output_tokens = 2}) == ai::money{.micro_dollars = 2});
}

TEST_CASE("a long prompt raises the price of the whole call") {
    const ai::model_price price{.tokens = {.input = ai::dollars(1), .output = ai::dollars(2)},
                                .long_prompt = 200'000,
                                .long_prompt_tokens = {.input = ai::dollars(2), .output = ai::dollars(4)}};
    CHECK(price.cost({.input_tokens = 200'000, .output_tokens = 100'000}) == ai::dollars(0.4));
    CHECK(price.cost({.input_tokens = 250'000, .output_tokens = 100'000}) == ai::dollars(0.9));
}

TEST_CASE("counts that contradict each other give no negative cost and no overflow") {
    const ai::model_price price{.tokens = three_and_fifteen};
    CHECK(price.cost({.input_tokens = 100, .cached_tokens = 1'000'000, .cache_write_tokens = 50}) == ai::money{.micro_dollars = 30});
    CHECK(price.cost({.input_tokens = -5, .output_tokens = -7, .cached_tokens = -9, .cache_write_tokens = -1}) == ai::money{});
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    CHECK(price.cost({.input_tokens = most, .output_tokens = most}).micro_dollars == most);
}

TEST_CASE("a model without a price in any part is free") {
    CHECK(ai::model_price{}.is_free());
    CHECK_FALSE(ai::model_price{.tokens = three_and_fifteen}.is_free());
}
