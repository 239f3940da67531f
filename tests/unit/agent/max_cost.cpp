// The limit `max_cost`, and the cost of a run.
#include <pyaichat/provider/fallback.hpp>
#include <pyaichat/provider/price_table.hpp>
#include <pyaichat/provider/priced.hpp>

#include <pyaichat/agent/recover.hpp>

#include "agent_bench.hpp"

#include <optional>

using bench::agent_bench;
using bench::kept_records;
using namespace std::chrono_literals;
namespace ai = pyaichat;
namespace fake = pyaichat::testing;

namespace {

/// Prices a token at a dollar for a million, so that 1000 tokens cost $0.001.
const ai::model_price one_dollar{.tokens = {.input = ai::dollars(1), .output = ai::dollars(1)}};

ai::model_response with_tokens(ai::model_response response, std::int64_t tokens) {
    response.usage = {.input_tokens = tokens};
    return response;
}
ai::model_response a_call(std::int64_t tokens) {
    return with_tokens(fake::response_of({.role = ai::role::model, .parts = {ai::call_part{.id = "c", .name = "look"}}}), tokens);
}
ai::model_response an_answer(std::int64_t tokens) {
    return with_tokens(fake::response_of(ai::model_message("Done.")), tokens);
}

using priced_model = ai::priced<ai::borrowed<fake::scripted_provider>>;

/// An agent of any provider, with the capability `look`, on a clock and an executor of the test.
struct paying_bench {
    paying_bench(ai::any_provider provider, ai::money most, ai::any_journal journal = {})
        : agent(std::move(provider), ai::any_capabilities{ai::capability("look", "A test.", [looks = 0]() mutable { return ++looks; })},
                ai::agent_options{.limits = {.max_cost = most}, .seed = 1, .journal = std::move(journal)}, ai::borrow(clock),
                ai::borrow(background)) {}

    ai::answer finish(ai::pumped_run run) {
        while (run.pump() != ai::progress::done) {
            REQUIRE(background.run_one());
        }
        return run.reply();
    }
    ai::answer answer() { return finish(agent.ask("question")); }

    fake::manual_clock clock = {};
    fake::manual_executor background = {};
    ai::basic_agent<ai::any_provider, ai::any_capabilities, ai::borrowed<fake::manual_clock>, ai::borrowed<fake::manual_executor>> agent;
};

/// Pumps a run until its second model call was started. The call is not made.
void start_second_call(paying_bench& b, ai::pumped_run& run) {
    for (const bool is_first : {true, false}) {
        while (run.pump() != ai::progress::waiting) {
            REQUIRE_FALSE(run.pump() == ai::progress::done);
        }
        REQUIRE((!is_first || b.background.run_one()));
    }
}

// [cost]
/// Makes an agent whose questions cost at most half a dollar. Fails if the price of the model is not known.
ai::result<ai::agent> make_agent(ai::any_provider provider, const std::string& model) {
    const ai::result<ai::model_price> price = ai::price_table::built_in().find("anthropic", model);
    if (!price) {
        return price.error();
    }
    return ai::agent(ai::priced{std::move(provider), *price}, {}, {.limits = {.max_cost = ai::dollars(0.50)}});
}
// [/cost]

std::vector<std::optional<ai::money>> costs_in(const ai::answer& reply) {
    std::vector<std::optional<ai::money>> costs;
    for (const ai::event& happened : reply.events) {
        if (const auto* updated = happened.as<ai::usage_updated>()) {
            costs.push_back(updated->cost);
        }
    }
    return costs;
}

}  // namespace

TEST_CASE("the cost of a run adds up over its responses, in the events and in the answer") {
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(an_answer(500))};
    paying_bench b{priced_model(ai::borrow(model), one_dollar), ai::dollars(1)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.cost == ai::dollars(0.0015));
    CHECK(costs_in(reply) == std::vector<std::optional<ai::money>>{ai::dollars(0.001), ai::dollars(0.0015)});
}

TEST_CASE("the run ends before a model call when its cost has reached the limit") {
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(a_call(1000)), fake::respond(an_answer(1))};
    paying_bench b{priced_model(ai::borrow(model), one_dollar), ai::dollars(0.002)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::cost_budget);
    CHECK(reply.degraded());
    CHECK(reply.text.starts_with("There was no answer within the budget of $0.002 (max_cost).\n\nConfirmed so far:\nlook() -> 1"));
    CHECK(reply.cost == ai::dollars(0.002));
    CHECK(model.request_count() == 2);
}

TEST_CASE("a response that answers the question completes the run, even beyond the limit") {
    fake::scripted_provider model{fake::respond(an_answer(5'000'000))};
    paying_bench b{priced_model(ai::borrow(model), one_dollar), ai::dollars(1)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.cost == ai::dollars(5));
}

TEST_CASE("a response that is not usable counts for the cost") {
    fake::scripted_provider model{fake::respond(with_tokens(fake::response_of(ai::model_message("")), 3000)), fake::respond(an_answer(1))};
    paying_bench b{priced_model(ai::borrow(model), one_dollar), ai::dollars(0.003)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::cost_budget);
    CHECK(model.request_count() == 1);
}

TEST_CASE("with a limit, a provider without a price is refused before the first call") {
    fake::scripted_provider model{fake::respond(an_answer(1))};
    paying_bench b{ai::borrow(model), ai::dollars(1)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::misconfigured);
    CHECK(reply.text.starts_with("The question was not asked: limits::max_cost is set, but the cost of the model is not known."));
    CHECK(model.request_count() == 0);
}

TEST_CASE("with a limit, a run does not go on after a response whose cost is not known") {
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(a_call(0)), fake::respond(an_answer(1))};
    paying_bench b{priced_model(ai::borrow(model), one_dollar), ai::dollars(1)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::misconfigured);
    CHECK(reply.cost == std::nullopt);
    CHECK(model.request_count() == 2);
}

TEST_CASE("without a limit, a provider without a price answers, and the cost is not known") {
    fake::scripted_provider model{fake::respond(an_answer(1000))};
    paying_bench b{ai::borrow(model), {}};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.cost == std::nullopt);
}

TEST_CASE("each provider of a fallback has its own price") {
    fake::scripted_provider cheap{fake::respond(a_call(1000)), fake::fail(ai::errc::unavailable)};
    fake::scripted_provider dear{fake::respond(an_answer(1000))};
    const ai::model_price ten_dollars{.tokens = {.input = ai::dollars(10), .output = ai::dollars(10)}};
    paying_bench b{ai::fallback{priced_model(ai::borrow(cheap), one_dollar), priced_model(ai::borrow(dear), ten_dollars)}, ai::dollars(1)};
    const ai::answer reply = b.answer();
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.cost == ai::dollars(0.011));
}

TEST_CASE("an agent of a model that the table prices answers with a cost, and there is none of another model") {
    fake::scripted_provider model{fake::respond(an_answer(1'000'000))};
    auto made = make_agent(ai::borrow(model), "claude-opus-5-5");
    REQUIRE(made);
    CHECK(made->ask("question").wait().cost == ai::dollars(4));
    CHECK(make_agent(ai::borrow(model), "unheard-of").error().code == ai::errc::not_found);
}

TEST_CASE("a restored run keeps its limit and its cost") {
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(a_call(1000)), fake::respond(an_answer(1))};
    paying_bench before{priced_model(ai::borrow(model), one_dollar), ai::dollars(0.002)};
    ai::pumped_run run = before.agent.ask("question");
    start_second_call(before, run);
    const ai::json snapshot = run.snapshot();
    run = {};
    CHECK(snapshot["cost"]["micro_dollars"] == 1000);

    fake::scripted_provider rest{fake::respond(a_call(1000)), fake::respond(an_answer(1))};
    paying_bench after{priced_model(ai::borrow(rest), one_dollar), {}};
    auto restored = after.agent.restore(snapshot);
    REQUIRE(restored);
    const ai::answer reply = after.finish(std::move(*restored));
    CHECK(reply.reason == ai::stop_reason::cost_budget);
    CHECK(reply.cost == ai::dollars(0.002));
    CHECK(rest.request_count() == 1);
}

TEST_CASE("a run that is restored with a provider without a price does not go on") {
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(an_answer(1))};
    paying_bench before{priced_model(ai::borrow(model), one_dollar), ai::dollars(1)};
    ai::pumped_run run = before.agent.ask("question");
    start_second_call(before, run);
    fake::scripted_provider rest{fake::respond(an_answer(1))};
    paying_bench after{ai::borrow(rest), {}};
    auto restored = after.agent.restore(run.snapshot());
    REQUIRE(restored);
    CHECK(after.finish(std::move(*restored)).reason == ai::stop_reason::misconfigured);
    CHECK(rest.request_count() == 0);
}

TEST_CASE("a snapshot without costs is of a run whose cost is not known") {
    const ai::instant now = {};
    ai::run_machine machine({.run_id = "r", .question = "question"}, now);
    machine.feed(ai::input::declarations{}, now);
    ai::model_response unusable = fake::response_of(ai::model_message(""));
    machine.feed(ai::input::model_result{.attempt = 1, .outcome = unusable}, now);
    while (machine.take_event() != nullptr) {
    }
    auto restored = ai::run_machine::restore(machine.snapshot(now), now);
    REQUIRE(restored);
    restored->feed(ai::input::declarations{}, now);
    ai::model_response priced = an_answer(1000);
    priced.cost = ai::dollars(1);
    restored->feed(ai::input::model_result{.attempt = 2, .outcome = priced}, now);
    REQUIRE(restored->reply() != nullptr);
    CHECK(restored->reply()->reason == ai::stop_reason::complete);
    CHECK(restored->reply()->cost == std::nullopt);
}

TEST_CASE("a run that is recovered from its journal keeps its cost") {
    std::vector<ai::journal_record> records;
    fake::scripted_provider model{fake::respond(a_call(1000)), fake::respond(an_answer(1))};
    paying_bench before{priced_model(ai::borrow(model), one_dollar), ai::dollars(1), kept_records{&records}};
    ai::pumped_run run = before.agent.ask("question");
    start_second_call(before, run);
    const std::vector<ai::journal_record> written = records;  // before the crash

    fake::scripted_provider rest{fake::respond(an_answer(500))};
    paying_bench after{priced_model(ai::borrow(rest), one_dollar), {}};
    auto recovered = after.agent.recover(written);
    REQUIRE(recovered);
    const ai::answer reply = after.finish(std::move(*recovered));
    CHECK(reply.reason == ai::stop_reason::complete);
    CHECK(reply.cost == ai::dollars(0.0015));
}
