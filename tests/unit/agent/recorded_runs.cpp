/// Random runs through an agent, compared with a record of how ten thousand of them behaved before.
///
/// Each run writes a transcript of everything that a host can see: requests, events, calls, what hooks and policies are shown, results of
/// `resume`, and the answer. The golden file keeps a hash for each hundred transcripts. Journal records and snapshots are not part of a
/// transcript; how a run continues from them is.
///
/// Environment:
///   PYAICHAT_RECORD=path      writes the golden file to this path, instead of comparing
///   PYAICHAT_SHOW_RUN=seed    prints the transcript of one run and stops
///   PYAICHAT_SHOW_BLOCK=n     prints the hash of each run of line n of the golden file and stops
///   PYAICHAT_RANDOM_RUNS=n    makes n runs, at most 10,000, instead of 2,500; to record, make all
#include <pyaichat/agent/basic_agent.hpp>

#include "catch.hpp"

#include <pyaichat/capability/adapt.hpp>
#include <pyaichat/capability/function.hpp>
#include <pyaichat/core/env.hpp>
#include <pyaichat/testing/manual_executor.hpp>

#include <cstdio>
#include <fstream>

#if PYAICHAT_HAS_EXCEPTIONS  // some of the policies throw
    #include "random_surroundings.hpp"

using namespace support;

namespace {

/// The host of one run: it asks, pumps, decides about pending calls, and continues the run from snapshots and journals.
class recorded_run : public random_surroundings {
public:
    using random_surroundings::random_surroundings;

    /// Makes the run, to its end, and returns its transcript.
    std::string play() {
        dice roll(seed_, topic::setup, 0);
        const bool journals = seed_ % 3 == 0;
        model_is_async_ = roll.chance(50);
        tampering_ = roll.chance(8);
        if (roll.chance(15)) {
            journal_fails_at_ = static_cast<std::size_t>(roll.below(60));
            journal_throws_ = roll.chance(50);
        }
        make_agent(journals, false);
        say("run", seed_);
        ask(roll, some_history({seed_, topic::history, 0}));
        drive();
        if (!journals && run_ && roll.chance(10)) {
            count("asked again");
            ask(roll, run_.reply().messages);
            drive();
        }
        const int recoveries = journals && roll.chance(70) ? 1 + roll.below(2) : 0;
        for (int i = 0; i < recoveries; ++i) {
            recover(roll);
        }
        leave();
        return std::move(transcript_);
    }

private:
    using agent_type =
        ai::basic_agent<random_model, ai::any_capabilities, ai::borrowed<fake::manual_clock>, ai::borrowed<fake::manual_executor>>;

    // ---- the agent

    ai::function_capability capability_of(const std::string& name, const std::string& description = "A test.") {
        ai::capability_spec spec{.name = name, .description = description, .effects = ai::effects::read, .origin = "a test"};
        spec.parameters = *ai::parse_json(R"({"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}})");
        if (name == "look" || name == "guard") {
            spec.headline = "hp";
        } else if (name == "set") {
            spec.effects = ai::effects::idempotent;
            spec.timeout = 700ms;
        }
        if (name == "heal" || name == "plug" || name == "guard") {
            spec.effects = ai::effects::once;
        }
        if (name == "plug" || name == "peek") {
            spec.from = ai::provenance::file;
        } else if (name == "far") {
            spec.from = ai::provenance::server;
        }
        return {std::move(spec),
                [this](const ai::capability_call& call, ai::capability_responder responder) { invoke(call, std::move(responder)); }};
    }

    ai::any_capabilities capabilities(dice& roll, bool changed) {
        if (roll.rarely(50)) {
            count("two capabilities of one name");
            return {capability_of("look"), capability_of("look")};
        }
        ai::any_capabilities all;
        for (const char* name : {"look", "set", "heal", "plug", "peek", "far", "relay"}) {
            REQUIRE(all.add(capability_of(name, changed && roll.chance(30) ? "Another test." : "A test.")));
        }
        const auto add = [this](int n) {
            say("add", n);
            return n + 1;
        };
        REQUIRE(all.add(ai::capability("add", "Adds.", add, ai::arg{"n", "a number"})));
        if (roll.chance(50)) {
            const auto review = [this](const ai::proposed_call& call) { return decide("guard", call); };
            REQUIRE(all.add(capability_of("guard") | ai::approve{review}));
        }
        return all;
    }

    ai::agent_options options(dice& roll, bool journals) {
        ai::agent_options chosen{.instructions = "Be brief.", .limits = some_limits(roll), .seed = seed_};
        if (roll.chance(40)) {
            chosen.approval = [this](const ai::proposed_call& call) { return decide("policy", call); };
        } else if (roll.chance(20)) {
            chosen.approval = short_policy{this};
        }
        const int hooks = roll.below(4);
        for (int hook = 0; hook < hooks; ++hook) {
            switch (roll.below(4)) {
                case 0: chosen.hooks.emplace_back(looking_hook{this, hook}); break;
                case 1: chosen.hooks.emplace_back(quick_hook{{this, hook}}); break;
                case 2: chosen.hooks.emplace_back(slow_hook{this, hook}); break;
                default: chosen.hooks.emplace_back(mixed_hook{{this, hook}}); break;
            }
        }
        if (journals) {
            chosen.journal = memory_journal{this};
        }
        return chosen;
    }

    /// Makes the same agent each time, with other declarations if `changed`.
    void make_agent(bool journals, bool changed) {
        dice for_options(seed_, topic::setup, 1);
        dice for_capabilities(seed_, topic::setup, 2);
        agent_.reset();
        agent_.emplace(random_model{this}, capabilities(for_capabilities, changed), options(for_options, journals), ai::borrow(clock_),
                       ai::borrow(background_));
    }

    [[nodiscard]] ai::on observers() {
        return ai::on{[this](const ai::event& happened) { observe(happened); }};
    }

    // ---- the run

    void ask(dice& roll, ai::conversation history) {
        ai::run_request request{.question = roll.chance(1) ? " " : "question", .history = std::move(history)};
        request.context = roll.chance(20) ? "context" : "";
        request.mode =
            roll.one_of(std::array{ai::tool_mode::automatic, ai::tool_mode::required, ai::tool_mode::none, ai::tool_mode::validated});
        if (roll.chance(20)) {
            request.instructions = "Be long.";
        }
        run_ = agent_->ask(std::move(request), observers());
    }

    /// Pumps the run to its end, round by round. What was put off happens between the rounds, and time passes.
    void drive() {
        dice plan = next(topic::host);
        const int cancel_in = plan.chance(6) ? plan.below(12) : -1;
        const int snapshot_in = plan.chance(25) ? plan.below(12) : -1;
        const int add_in = plan.chance(5) ? plan.below(6) : -1;
        const ai::duration budget = plan.chance(50) ? ai::duration(1ms) : ai::duration(24h);
        for (int turn = 0; run_; ++turn, ++round_) {
            REQUIRE(turn < 300);  // it ends
            const bool impatient = turn > 40;
            dice roll(seed_, topic::time, static_cast<std::uint64_t>(round_));
            later_.run(round_);
            if (roll.chance(80)) {
                background_.run_all();
            }
            if (turn == cancel_in) {
                say("host cancels");
                run_.cancel();
            }
            if (turn == snapshot_in && run_) {
                continue_from_snapshot(plan);
            }
            if (turn == add_in) {
                say("host adds a capability", agent_->capabilities().add(capability_of("loook")).has_value());
            }
            if (run_ && roll.chance(1)) {
                resume(roll, false);  // most likely at the wrong time
            }
            const ai::progress reached = pump(budget);
            if (!run_) {
                say("dropped");
            } else if (reached == ai::progress::done) {
                on_done();
                return;
            } else if (reached == ai::progress::awaiting_approval) {
                on_awaiting();
                if (impatient || roll.chance(70)) {
                    resume(roll, impatient);
                }
            }
            const int pace = roll.below(100);
            clock_.advance(roll.up_to(pace < 60 ? 20 : pace < 85 ? 200 : pace < 97 ? 1000 : 4000));
            clock_.advance(impatient ? 1s : 0s);
        }
    }

    ai::progress pump(ai::duration budget) {
        ai::progress reached = ai::progress::working;
        while (run_ && reached == ai::progress::working) {
            try {
                reached = run_.pump(budget);
            } catch (const std::exception& thrown) {
                say("pump throws", thrown.what());
            }
        }
        return reached;
    }

    void on_done() {
        const ai::answer& reply = run_.reply();
        say("answer", text_of(reply));
        count("reason " + text(reply.reason));
        if (reply.text.find("\n\nNote ") != std::string::npos) {
            count("notes added");
        } else if (notes_given_ > 0) {
            count("notes not added");
        }
    }

    void on_awaiting() {
        const ai::answer& reply = run_.reply();
        count("reason " + text(reply.reason));
        say("awaiting", text_of(reply));
        for (const ai::pending_call& waiting : run_.pending()) {
            say(waiting.suspended ? "suspended" : "pending", text_of(waiting.call), "because", waiting.reason);
        }
    }

    /// Decides about some or all pending calls, now and then wrongly. If `definite`, it allows or denies each of them.
    void resume(dice& roll, bool definite) {
        std::vector<ai::call_ruling> rulings;
        std::string shown;
        const auto rule = [&](std::uint64_t call, named_decision decision) {
            shown += line(call, decision.name) + ", ";
            rulings.push_back({.call = call, .decision = std::move(decision.value)});
        };
        for (const ai::pending_call& waiting : run_.pending()) {
            if (waiting.suspended) {
                if (definite || roll.chance(60)) {
                    const ai::capability_reply reply = definite ? ai::reply_with("here it is") : some_reply(roll);
                    const ai::result<void> done = run_.resume(waiting.call.number, reply);
                    say("reply to", waiting.call.number, text_of(reply), "->", text_of(done));
                    count(done ? "suspended call replied" : "reply to a suspended call refused: " + text(done.error().code));
                }
                if (!run_) {
                    return;  // a hook dropped it
                }
            } else if (definite) {
                rule(waiting.call.number, roll.chance(50) ? named_decision{ai::call_decision::allow(), "allow"}
                                                          : named_decision{ai::call_decision::deny("no"), "deny"});
            } else if (roll.chance(75)) {
                rule(waiting.call.number, some_decision(roll));
            }
        }
        if (!definite && roll.chance(8)) {
            rule(999, {ai::call_decision::allow(), "allow"});
        } else if (!definite && !rulings.empty() && roll.chance(10)) {
            rule(rulings.front().call, {ai::call_decision::deny("twice"), "deny"});
        } else if (!definite && !rulings.empty() && roll.chance(10)) {
            rulings.front().decision = ai::call_decision::allow_with({{"n", "misfit"}});
        }
        const ai::result<void> done = run_.resume(rulings);
        say("resume", shown, "->", text_of(done));
        count(rulings.empty() ? "resume of nothing" : done ? "resume accepted" : "resume refused: " + text(done.error().code));
        if (!rulings.empty() && roll.chance(15)) {
            const ai::result<void> again = run_.resume(rulings.front().call, ai::call_decision::allow());
            say("resume again ->", text_of(again), "pending", run_.pending().size());
        }
    }

    /// Continues from a snapshot, with the same agent or as another process would.
    void continue_from_snapshot(dice& roll) {
        json taken;
        try {
            taken = run_.snapshot();
        } catch (const std::exception& thrown) {
            say("snapshot throws", thrown.what());
            return;
        }
        if (!run_) {
            return;
        }
        say("snapshot, done", run_.done());
        if (roll.chance(50)) {
            run_ = {};
            taken = *ai::parse_json(ai::dump_json(taken));
            make_agent(false, roll.chance(40));
        }
        clock_.advance(roll.up_to(2000));
        ai::result<agent_type::run_type> restored = agent_->restore(taken, observers());
        REQUIRE(restored);
        count("restored");
        run_ = std::move(*restored);
    }

    /// Continues the run from its journal, as if the program had died when the transcript had some number of lines. This is how a point
    /// in the journal is chosen: by what had happened, not by a number of records.
    void recover(dice& roll) {
        const auto lines = static_cast<std::size_t>(roll.below(static_cast<int>(records_at_.size())));
        const std::size_t kept = records_at_[lines];
        run_ = {};
        say("recover from line", lines + 1);
        if (kept < records_.size()) {
            records_.resize(kept);
        }
        if (roll.chance(70)) {
            journal_fails_at_ = static_cast<std::size_t>(-1);
        }
        make_agent(true, roll.chance(20));
        const std::vector<ai::journal_record> records = records_;  // the journal goes on
        ai::result<agent_type::run_type> recovered = agent_->recover(records, observers());
        if (!recovered) {
            count("recover refused");
            say("recover fails", recovered.error().code);
            return;
        }
        count("recovered");
        run_ = std::move(*recovered);
        drive();
    }

    /// Lets everybody answer who has not, and checks that it changes nothing any more.
    void leave() {
        const std::string before = run_ ? text_of(run_.reply()) : "";
        later_.run(agenda::never - 1);
        background_.run_all();
        later_.drop_all();
        if (run_) {
            REQUIRE(run_.pump() == ai::progress::done);
            REQUIRE(text_of(run_.reply()) == before);
        }
        run_ = {};
        agent_.reset();
        background_.drop_all();
        later_.drop_all();
    }

    fake::manual_executor background_;
    std::optional<agent_type> agent_;
};

std::string transcript_of(std::uint64_t seed, tally& counts) {
    INFO("seed " << seed);
    return recorded_run(seed, counts).play();
}

// ---- blocks of a hundred runs

constexpr std::uint64_t runs_of_block = 100;

std::uint64_t first_run(std::size_t block) {
    return (block - 1) * runs_of_block + 1;
}

/// The number and the hash of each transcript.
std::string hashes_of(std::size_t block, tally& counts) {
    std::string hashes;
    for (std::uint64_t seed = first_run(block); seed < first_run(block + 1); ++seed) {
        hashes += line(seed, hexadecimal(hash_of(transcript_of(seed, counts)))) + "\n";
    }
    return hashes;
}

/// A line of the golden file.
std::string block_line(std::size_t block, tally& counts) {
    const std::string hash = hexadecimal(hash_of(hashes_of(block, counts)));
    return line(first_run(block), "to", first_run(block + 1) - 1, hash);
}

std::string golden_path() {
    return std::string(PYAICHAT_TEST_DATA) + "/agent/golden/recorded_runs.txt";
}

std::vector<std::string> read_blocks(const std::string& path) {
    std::ifstream file(path);
    INFO("reading " << path);
    REQUIRE(file);
    std::vector<std::string> blocks;
    for (std::string read; std::getline(file, read);) {
        if (!read.starts_with("#")) {
            blocks.push_back(read);
        }
    }
    return blocks;
}

void write_blocks(const std::string& path, const std::vector<std::string>& blocks) {
    std::ofstream file(path);
    file
        << "# Hashes of the transcripts of random runs, a hundred runs a line, for tests/unit/agent/recorded_runs.cpp. To write them anew: "
           "PYAICHAT_RECORD=<this file> test_agent \"random runs of an agent behave as recorded\"\n";
    for (const std::string& block : blocks) {
        file << block << "\n";
    }
    REQUIRE(file.flush());
}

/// Names the first block that differs. The others are likely to differ for the same reason.
void compare_blocks(const std::vector<std::string>& blocks, const std::vector<std::string>& recorded) {
    REQUIRE(recorded.size() >= blocks.size());
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (blocks[i] != recorded[i]) {
            FAIL("runs behave differently, first among the runs "
                 << blocks[i] << ", recorded " << recorded[i] << ". Run this program and an older one with PYAICHAT_SHOW_BLOCK=" << i + 1
                 << " to find the run, and with PYAICHAT_SHOW_RUN to compare transcripts");
        }
    }
}

/// That the runs meet what they are meant to test.
void check_tally(tally counts) {
    const auto check = [&](const std::string& what) {
        INFO(what);
        CHECK(counts[what] > 0);
    };
    for (int i = 0; i <= static_cast<int>(ai::stop_reason::misconfigured); ++i) {
        const auto reason = static_cast<ai::stop_reason>(i);
        // Other random runs recover so often, and have costs.
        if (reason != ai::stop_reason::max_recoveries && reason != ai::stop_reason::cost_budget) {
            check("reason " + text(reason));
        }
    }
    for (int i = 0; i <= static_cast<int>(ai::reply_code::in_doubt); ++i) {
        check("code " + text(static_cast<ai::reply_code>(i)));
    }
    for (const char* who : {"model", "capability", "deferred decision", "deferred reply", "deferred note"}) {
        for (const char* does : {"answered at once", "answered later", "dropped at once", "dropped later", "never answered", "threw",
                                 "answered and threw", "threw and answered later", "took long"}) {
            check(line(who, does));
        }
    }
    for (const char* decision : {"allow", "deny", "ask", "ask about others", "change", "abstain"}) {
        check(line("hook said", decision));
    }
    for (const char* code : {"ok", "denied", "unknown_function", "invalid_args", "limit", "cancelled", "internal", "abandoned"}) {
        check(line("nested reply", code));
    }
    for (int depth = 1; depth <= 4; ++depth) {
        check(line("nested ok at depth", depth));
    }
    for (const char* what : {"nested too deep",
                             "nested: outer call replied first",
                             "nested: reply made of nested replies",
                             "nested: asked after the reply",
                             "nested: receiver threw",
                             "hook threw while looking",
                             "hook threw while deciding",
                             "hook threw with a reply",
                             "hook threw with an answer",
                             "hook changed a reply",
                             "notes added",
                             "notes not added",
                             "policy threw",
                             "observer threw",
                             "journal failed",
                             "pumping thread held",
                             "cancelled in a callback",
                             "dropped in a callback",
                             "two capabilities of one name",
                             "asked again",
                             "recovered",
                             "recover refused",
                             "restored",
                             "resume accepted",
                             "resume refused: invalid_state",
                             "resume refused: invalid_argument"}) {
        check(what);
    }
}

}  // namespace

TEST_CASE("random runs of an agent behave as recorded") {
    tally counts;
    if (const std::string seed = ai::env("PYAICHAT_SHOW_RUN"); !seed.empty()) {
        std::fputs(transcript_of(std::stoull(seed), counts).c_str(), stdout);
        return;
    }
    if (const std::string block = ai::env("PYAICHAT_SHOW_BLOCK"); !block.empty()) {
        std::fputs(hashes_of(std::stoull(block), counts).c_str(), stdout);
        return;
    }
    const std::string wanted = ai::env("PYAICHAT_RANDOM_RUNS");
    // A quarter of what is recorded: all of it takes minutes in a build without optimization, and says little more.
    const std::size_t usual = 2'500;
    const std::size_t count = (wanted.empty() ? usual : std::stoull(wanted)) / runs_of_block;
    std::vector<std::string> blocks;
    for (std::size_t block = 1; block <= count; ++block) {
        blocks.push_back(block_line(block, counts));
    }
    for (const auto& [what, times] : counts) {
        std::printf("%-40s %d\n", what.c_str(), times);
    }
    if (const std::string path = ai::env("PYAICHAT_RECORD"); !path.empty()) {
        write_blocks(path, blocks);
    } else {
        compare_blocks(blocks, read_blocks(golden_path()));
    }
    if (count * runs_of_block >= usual) {
        check_tally(std::move(counts));
    }
}

#endif
