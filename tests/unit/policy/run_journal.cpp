#include <pyaichat/policy/run_journal.hpp>

#include <pyaichat/agent/recover.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

using namespace bench;
using ai::json;

namespace {

/// Keeps records in memory; the one numbered `fails_at` and none other is refused.
struct memory {
    std::vector<ai::journal_record>* records;
    std::uint64_t fails_at = 0;
    ai::result<void> append(const ai::journal_record& record) {
        if (record.number == fails_at) {
            return ai::failure{.code = ai::errc::unavailable, .message = "the disk is full"};
        }
        records->push_back(record);
        return {};
    }
};

/// A ward where potions are real: heal must not be repeated, look may.
struct ward : agent_bench {
    explicit ward(const std::vector<fake::scripted_reply>& script, std::size_t from = 0) : agent_bench({}) {
        for (std::size_t i = from; i < script.size(); ++i) {
            model.add(script[i]);
        }
        REQUIRE(agent.capabilities().add(ai::capability("look", "Looks.", [this] { return ++looked; }).with(ai::effects::read)));
        REQUIRE(agent.capabilities().add(ai::capability("heal", "Heals.", [this] { return ++healed; }).with(ai::effects::once)));
    }
    int looked = 0;
    int healed = 0;
};

std::vector<fake::scripted_reply> script() {
    return {fake::calls({{"1", "look", json::object()}, {"2", "heal", json::object()}}), fake::call("look"), fake::say("Done.")};
}

}  // namespace

TEST_CASE("an intent is in the journal before a call is made, and its reply after it") {
    ward bench(script());
    std::vector<ai::journal_record> records;
    struct peeking : memory {
        ward* bench;
        std::string* order;
        ai::result<void> append(const ai::journal_record& record) {
            const json* input = ai::find_member(record.content, "input");
            if (input != nullptr && input->contains("invoking")) {
                *order += "intent" + std::to_string(bench->looked + bench->healed) + " ";
            } else if (input != nullptr && input->contains("call_reply")) {
                *order += "reply" + std::to_string(bench->looked + bench->healed) + " ";
            }
            return memory::append(record);
        }
    };
    std::string order;
    peeking journal;
    journal.records = &records;
    journal.bench = &bench;
    journal.order = &order;
    bench.agent.options().journal = journal;
    CHECK(bench.answer().reason == ai::stop_reason::complete);
    CHECK(order == "intent0 reply1 intent1 reply2 intent2 reply3 ");
    for (std::size_t i = 0; i < records.size(); ++i) {
        CHECK(records[i].number == i + 1);
        CHECK(records[i].run_id == records[0].run_id);
    }
}

TEST_CASE("when a record cannot be written, no call is made from there on, and the run goes on") {
    std::vector<ai::journal_record> whole;
    {
        ward bench(script());
        bench.agent.options().journal = memory{&whole};
        bench.answer();
    }
    for (std::uint64_t fails_at = 1; fails_at <= whole.size(); ++fails_at) {
        INFO("record " << fails_at << " is refused");
        ward bench(script());
        std::vector<ai::journal_record> records;
        bench.agent.options().journal = memory{&records, fails_at};
        const ai::answer reply = bench.answer();
        CHECK(reply.reason == ai::stop_reason::complete);
        CHECK(records.size() == fails_at - 1);
        int intents = 0;
        for (const ai::journal_record& one : records) {
            const json* input = ai::find_member(one.content, "input");
            intents += input != nullptr && input->contains("invoking") ? 1 : 0;
        }
        CHECK(bench.looked + bench.healed == intents);
    }
}

TEST_CASE("a run that died between any two records goes on: nothing is repeated that must not be, and no reply is lost") {
    std::vector<ai::journal_record> whole;
    {
        ward bench(script());
        bench.agent.options().journal = memory{&whole};
        CHECK(bench.answer().text == "Done.");
    }
    int doubted = 0;
    for (std::size_t kept = 1; kept <= whole.size(); ++kept) {
        INFO("died after record " << kept);
        // What had happened by then, as the journal tells.
        int healed_before = 0;
        std::size_t replied_before = 0;
        std::size_t asked_before = 0;
        std::uint64_t open = 0;
        for (std::size_t i = 0; i < kept; ++i) {
            const json* input = ai::find_member(whole[i].content, "input");
            if (input != nullptr && input->contains("invoking")) {
                open = static_cast<std::uint64_t>(*ai::integer_member((*input)["invoking"], "call"));
                healed_before += open == 2 ? 1 : 0;
            } else if (input != nullptr && input->contains("call_reply")) {
                ++replied_before;
                open = 0;
            } else if (input != nullptr && input->contains("model_result")) {
                ++asked_before;
            }
        }
        ward bench(script(), asked_before);
        std::vector<ai::journal_record> records(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(kept));
        bench.agent.options().journal = memory{&records};
        bench.clock.advance(24h);  // another time line, and later
        auto run = bench.agent.recover(std::vector(records), ai::on{[&](const ai::event& one) { bench.events(one); }});
        REQUIRE(run);
        REQUIRE(bench.settle(*run) == ai::progress::done);
        const ai::answer& reply = run->reply();
        CHECK(reply.text == "Done.");
        CHECK(bench.healed + healed_before == 1);
        const std::vector<std::string> codes = codes_in(reply.messages);
        REQUIRE(codes.size() == 3);
        CHECK(codes[1] == (open == 2 ? "in_doubt" : "ok"));
        doubted += open == 2 ? 1 : 0;
        // What was replied before is not asked for again.
        CHECK(static_cast<std::size_t>(bench.looked + bench.healed) == 3 - replied_before - (open == 2 ? 1U : 0U));
        // And the journal as it is now tells the whole story.
        const auto again = bench.agent.recover(records);
        REQUIRE(again);
        CHECK(again->reply().text == "Done.");
    }
    CHECK(doubted == 1);
}

TEST_CASE("a stream costs no record for each of its pieces, and none of them is lost") {
    agent_bench bench{fake::stream(std::vector<std::string>(200, "word "))};
    std::vector<ai::journal_record> records;
    bench.agent.options().journal = memory{&records};
    bench.answer();
    CHECK(records.size() == 3);  // the set-up, the declarations, the response
    auto again = ai::replay(records);
    REQUIRE(again);
    std::size_t pieces = 0;
    while (const ai::event* one = again->machine.take_event()) {
        pieces += one->as<ai::text_delta>() != nullptr ? 1U : 0U;
    }
    CHECK(pieces == 200);
}

TEST_CASE("records that are missing, damaged or of two runs are refused, and named") {
    std::vector<ai::journal_record> whole;
    ward bench(script());
    bench.agent.options().journal = memory{&whole};
    bench.answer();
    CHECK_FALSE(bench.agent.recover(std::vector<ai::journal_record>()));
    auto gap = whole;
    gap.erase(gap.begin() + 3);
    CHECK(bench.agent.recover(gap).error().message.find("record 4") != std::string::npos);
    auto other = whole;
    other[2].run_id = "another";
    CHECK(bench.agent.recover(other).error().message.find("record 3") != std::string::npos);
    for (std::size_t i = 0; i < whole.size(); ++i) {
        for (const json& broken : {json(), json::object(), json::array(), json(7)}) {
            auto damaged = whole;
            damaged[i].content = broken;
            CHECK(bench.agent.recover(damaged).error().code == ai::errc::bad_response);
        }
    }
}
