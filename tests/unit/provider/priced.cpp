#include <pyaichat/provider/priced.hpp>

#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/testing/scripted_provider.hpp>

#include "catch.hpp"

#include <optional>

namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

const ai::model_price one_dollar{.tokens = {.input = ai::dollars(1), .output = ai::dollars(1)}};

fake::scripted_reply answer_with(ai::token_usage usage, std::optional<ai::money> cost = {}) {
    ai::model_response response = fake::response_of(ai::model_message("Hello."));
    response.usage = usage;
    response.cost = cost;
    return fake::respond(response);
}

std::optional<ai::money> cost_of(ai::any_provider provider) {
    const auto outcome = provider.complete({}, {}, {});
    return outcome ? outcome->cost : std::nullopt;
}

/// An asynchronous provider that replies at once.
struct async_provider {
    void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply reply) const {
        ai::model_response response = fake::response_of(ai::model_message("Hello."));
        response.usage = {.input_tokens = 2'000'000};
        reply(std::move(response));
    }
};

}  // namespace

TEST_CASE("a priced provider sets the cost of its responses") {
    fake::scripted_provider model{answer_with({.input_tokens = 1000, .output_tokens = 500})};
    CHECK(cost_of(ai::priced{ai::borrow(model), one_dollar}) == ai::dollars(0.0015));
    CHECK(cost_of(ai::priced{async_provider{}, one_dollar}) == ai::dollars(2));
}

TEST_CASE("a cost that the service tells is kept") {
    fake::scripted_provider model{answer_with({.input_tokens = 1000}, ai::dollars(0.25))};
    CHECK(cost_of(ai::priced{ai::borrow(model), one_dollar}) == ai::dollars(0.25));
}

TEST_CASE("without token counts the cost is not known, unless the model is free") {
    fake::scripted_provider model{answer_with({}), answer_with({})};
    CHECK(cost_of(ai::priced{ai::borrow(model), one_dollar}) == std::nullopt);
    CHECK(cost_of(ai::priced{ai::borrow(model), ai::model_price{}}) == ai::money{});
}

TEST_CASE("a failure passes through a priced provider") {
    fake::scripted_provider model{fake::fail(ai::errc::unavailable)};
    const auto outcome = ai::priced{ai::borrow(model), one_dollar}.complete({}, {}, {});
    REQUIRE_FALSE(outcome);
    CHECK(outcome.error().code == ai::errc::unavailable);
}

TEST_CASE("a provider tells its cost if it is priced, and a fallback if all of its providers are") {
    fake::scripted_provider model{};
    const ai::priced paid{ai::borrow(model), one_dollar};
    CHECK_FALSE(ai::tells_cost(model));
    CHECK_FALSE(ai::tells_cost(ai::any_provider()));
    CHECK(ai::tells_cost(paid));
    CHECK(ai::is_lent(paid));
    CHECK(ai::tells_cost(ai::any_provider(paid)));
    CHECK(ai::tells_cost(ai::fallback{paid, ai::any_provider(paid)}));
    CHECK_FALSE(ai::tells_cost(ai::fallback{paid, ai::borrow(model)}));
}
