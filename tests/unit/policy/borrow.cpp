#include <pyaichat/policy/borrow.hpp>

#include <pyaichat/capability/function.hpp>
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/testing/manual_clock.hpp>
#include <pyaichat/testing/manual_executor.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("what is done to a loan is done to its owner's object") {
    ai::testing::manual_clock clock;
    const auto lent_clock = ai::borrow(clock);
    clock.advance(std::chrono::seconds(1));
    CHECK(lent_clock.now() == clock.now());

    ai::testing::manual_executor background;
    auto lent_background = ai::borrow(background);
    lent_background.submit([] {});
    CHECK(background.pending() == 1);

    ai::function_capability source = ai::capability("f", "F.", [] { return 4; });
    auto lent_source = ai::borrow(source);
    CHECK(*lent_source.specs() == *source.specs());
    ai::json result;
    lent_source.invoke(ai::capability_call{}, ai::capability_responder([&](ai::capability_reply reply) { result = reply.result; }));
    CHECK(result == 4);
}

TEST_CASE("whoever decides, records and answers by himself can be lent too") {
    auto policy = ai::approve_each{[](const ai::proposed_call&) { return ai::call_decision::deny("no"); }};
    auto lent_policy = ai::borrow(policy);
    const std::vector<ai::proposed_call> batch(2);
    CHECK(lent_policy.decide(batch) == policy.decide(batch));

    struct counting_journal {
        ai::result<void> append(const ai::journal_record&) {
            ++records;
            return {};
        }
        int records = 0;
    } journal;
    auto lent_journal = ai::borrow(journal);
    CHECK(lent_journal.append(ai::journal_record{}));
    CHECK(journal.records == 1);

    struct waiting_model {
        void start(const ai::model_request&, const ai::delta_sink&, const ai::cancel_token&, ai::model_reply responder) {
            kept = std::move(responder);
        }
        ai::model_reply kept = {};
    } model;
    auto lent_model = ai::borrow(model);
    bool answered = false;
    lent_model.start(ai::model_request{}, ai::delta_sink{}, ai::cancel_token{},
                     ai::model_reply([&](const ai::result<ai::model_response>&) { answered = true; }));
    CHECK_FALSE(answered);
    model.kept = {};
    CHECK(answered);
    CHECK(ai::is_async(lent_model));
    CHECK(ai::is_lent(lent_model));
    CHECK_FALSE(ai::is_async(ai::no_provider{}));
    CHECK_FALSE(ai::is_lent(ai::no_provider{}));
}
