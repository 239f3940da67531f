#include <pyaichat/policy/run_journal.hpp>

#include <pyaichat/agent/recover.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <pyaichat/runtime/file_journal.hpp>

#include <unistd.h>

#include <filesystem>

using namespace bench;

namespace run_journal_tests {
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

namespace {

/// A file that goes with the test.
struct journal_file {
    std::string path = (std::filesystem::temp_directory_path() / ("pyaichat-lease-" + std::to_string(::getpid()) + ".jsonl")).string();
    journal_file() { std::filesystem::remove(path); }
    journal_file(const journal_file&) = delete;
    journal_file& operator=(const journal_file&) = delete;
    ~journal_file() { std::filesystem::remove(path); }
    [[nodiscard]] ai::file_journal open() const { return *ai::file_journal::open(path); }
};

/// An agent whose one call waits for approval.
struct cautious : agent_bench {
    int healed = 0;
    explicit cautious(ai::any_journal journal, std::initializer_list<ai::testing::scripted_reply> script) : agent_bench(script) {
        offer("heal", [this] { ++healed; });
        agent.options().journal = std::move(journal);
        agent.options().approval = [](const ai::proposed_call&) { return ai::call_decision::ask(); };
    }
};

}  // namespace

TEST_CASE("a restored run is journalled from its snapshot on, and recovered from there") {
    const journal_file file;
    ai::json snapshot;
    {
        cautious b(file.open(), {fake::call("heal")});
        ai::pumped_run run = b.ask();
        REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
        snapshot = run.snapshot();
    }
    {
        cautious b(file.open(), {});
        auto run = b.agent.restore(snapshot);
        REQUIRE(run);
        REQUIRE(b.settle(*run) == ai::progress::awaiting_approval);
        REQUIRE(run->resume(1, ai::call_decision::allow()));
        run->pump();
        CHECK(b.healed == 1);
    }
    ai::file_journal journal = file.open();
    const auto runs = journal.runs();
    REQUIRE(runs);
    REQUIRE(runs->size() == 1);
    cautious b(std::move(journal), {fake::say("Done.")});
    auto run = b.agent.recover((*runs)[0].records);
    REQUIRE(run);
    CHECK(b.settle(*run) == ai::progress::done);
    CHECK(run->reply().text == "Done.");
    CHECK(b.healed == 0);  // it was healed before the program ended
}

TEST_CASE("two restores of one snapshot do not both make its call") {
    const journal_file file;
    cautious b(file.open(), {fake::call("heal"), fake::say("Done."), fake::say("Done.")});
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    const ai::json snapshot = run.snapshot();
    auto first = b.agent.restore(snapshot);
    REQUIRE(first);
    const auto second = b.agent.restore(snapshot);
    REQUIRE_FALSE(second);
    CHECK(second.error().code == ai::errc::lease_lost);
    SECTION("nor does the run that the snapshot is of") {
        CHECK_FALSE(run.resume(1, ai::call_decision::allow()));
        CHECK(b.settle(run) == ai::progress::done);
        CHECK(run.reply().reason == ai::stop_reason::cancelled);
        CHECK(run.reply().error->code == ai::errc::lease_lost);
        CHECK(b.healed == 0);
    }
    SECTION("and a restore that is refused takes nothing from the owner") {
        REQUIRE(first->resume(1, ai::call_decision::allow()));
        CHECK(b.settle(*first) == ai::progress::done);
        CHECK(first->reply().text == "Done.");
        CHECK(b.healed == 1);
    }
}

TEST_CASE("a decision that cannot be written is told") {
    const journal_file file;
    cautious b(file.open(), {fake::call("heal"), fake::say("Done.")});
    ai::pumped_run run = b.ask();
    REQUIRE(b.settle(run) == ai::progress::awaiting_approval);
    auto other = b.agent.restore(run.snapshot());
    REQUIRE(other);
    CHECK(run.resume(1, ai::call_decision::allow()).error().code == ai::errc::lease_lost);
    CHECK(b.settle(run) == ai::progress::done);
    CHECK(b.healed == 0);
}

TEST_CASE("a fixed seed does not make two runs one in a journal") {
    const journal_file file;
    for (int process = 0; process < 2; ++process) {
        cautious b(file.open(), {fake::say("one"), fake::say("two")});
        b.agent.options().seed = 7;
        b.answer();
        b.answer();
    }
    CHECK(file.open().runs()->size() == 4);
}

TEST_CASE("a compacted journal keeps the runs that have not ended, and refuses snapshots of the others") {
    const journal_file file;
    json stale;
    {
        ai::file_journal journal = file.open();
        cautious b(ai::borrow(journal), {fake::call("heal"), fake::say("Done."), fake::call("heal")});
        ai::pumped_run ended = b.ask();
        REQUIRE(b.settle(ended) == ai::progress::awaiting_approval);
        stale = ended.snapshot();
        REQUIRE(ended.resume(1, ai::call_decision::allow()));
        REQUIRE(b.settle(ended) == ai::progress::done);
        ai::pumped_run open = b.ask();
        REQUIRE(b.settle(open) == ai::progress::awaiting_approval);
        CHECK(*ai::compact(journal) == 1);
        CHECK(*ai::compact(journal) == 0);
        b.healed = 0;
        REQUIRE(open.resume(1, ai::call_decision::allow()));
        open.pump();
        CHECK(b.healed == 1);
    }
    ai::file_journal journal = file.open();
    const auto runs = journal.runs();
    REQUIRE(runs);
    REQUIRE(runs->size() == 1);
    cautious b(std::move(journal), {fake::say("Done.")});
    CHECK(b.agent.restore(stale).error().code == ai::errc::lease_lost);
    auto run = b.agent.recover((*runs)[0].records);
    REQUIRE(run);
    CHECK(b.settle(*run) == ai::progress::done);
    CHECK(b.healed == 0);
}

}  // namespace run_journal_tests
