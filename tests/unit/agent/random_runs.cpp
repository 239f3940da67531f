/// Ten thousand random runs of the machine: whatever a model, its capabilities, its approvers and time do, the loop keeps its promises.
/// Every run is made three times: straight through, with a snapshot and a restore between any two decisions, and from its own journal.
#include <pyaichat/agent/recover.hpp>

#include "agent_bench.hpp"
#include "catch.hpp"

#include <pyaichat/core/env.hpp>
#include <pyaichat/message/stored_conversation.hpp>
#include <pyaichat/schema/validate.hpp>
#include "agent/storage/run_log.hpp"

#include <cstdio>
#include <map>
#include <set>

using namespace bench;

namespace random_runs_tests {
using ai::json;

namespace {

/// Numbers that depend on nothing but the run and what is asked: a restored run meets the same world.
class dice {
public:
    dice(std::uint64_t seed, std::uint64_t what, std::uint64_t which) : state_(seed * 0x9E3779B97F4A7C15u + what * 7919 + which) {}
    std::uint64_t next() {
        std::uint64_t x = state_ += 0x9E3779B97F4A7C15u;
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }
    int below(int bound) { return static_cast<int>(next() % static_cast<std::uint64_t>(bound)); }
    bool chance(int percent) { return below(100) < percent; }
    template <class T>
    const T& one_of(const std::vector<T>& all) {
        return all[static_cast<std::size_t>(below(static_cast<int>(all.size())))];
    }

private:
    std::uint64_t state_;
};

enum what_for : std::uint64_t { for_limits = 1, for_model, for_reply, for_opinion, for_ruling, for_history, for_typed };

ai::capability_spec spec(std::string name, ai::effects effects, ai::provenance from = ai::provenance::host) {
    ai::capability_spec made{.name = std::move(name), .description = "A test.", .effects = effects, .from = from, .origin = "a test"};
    made.parameters = *ai::parse_json(R"({"type": "object", "properties": {"n": {"type": "integer", "maximum": 3}}})");
    return made;
}

std::vector<ai::capability_spec> specs() {
    std::vector<ai::capability_spec> all{spec("look", ai::effects::read), spec("set", ai::effects::idempotent),
                                         spec("heal", ai::effects::once), spec("plug", ai::effects::once, ai::provenance::file),
                                         spec("far", ai::effects::read, ai::provenance::server)};
    all[1].timeout = 700ms;
    return all;
}

ai::limits some_limits(dice roll) {
    ai::limits bounds;
    bounds.max_steps = 1 + roll.below(6);
    bounds.step_timeout = std::chrono::milliseconds(500 + roll.below(4000));
    bounds.total_timeout = std::chrono::milliseconds(1000 + roll.below(15000));
    bounds.invalid_response_retries = roll.below(3);
    bounds.transport_retries = roll.below(3);
    bounds.call_timeout = std::chrono::milliseconds(200 + roll.below(2000));
    bounds.max_calls_per_step = 1 + roll.below(5);
    bounds.max_calls = 1 + roll.below(12);
    bounds.max_reply_bytes = roll.chance(30) ? 0 : static_cast<std::size_t>(256 + roll.below(400));
    bounds.max_tokens_total = roll.chance(60) ? 0 : 100 + roll.below(500);
    bounds.max_repeats = roll.chance(20) ? 0 : 1 + roll.below(3);
    if (roll.chance(2)) {
        bounds.max_steps = 0;
    }
    bounds.parallel_reads = roll.chance(50) ? 1 : 2 + roll.below(4);
    // Not with parallel reads: their findings may be in another order after a restore, and this limit shows them.
    bounds.max_cost.micro_dollars = bounds.parallel_reads > 1 || roll.chance(40) ? 0 : 50 + roll.below(200);
    return bounds;
}

ai::conversation some_history(dice roll) {
    ai::conversation history;
    for (int left = roll.below(5); left > 0; --left) {
        ai::message one{.role = roll.chance(50) ? ai::role::user : ai::role::model};
        for (int parts = roll.below(3); parts > 0; --parts) {
            switch (roll.below(3)) {
                case 0: one.parts.emplace_back(ai::text_part{.text = "words"}); break;
                case 1: one.parts.emplace_back(ai::call_part{.id = "old", .name = "look"}); break;
                default: one.parts.emplace_back(ai::response_part{.id = "old", .name = "look"}); break;
            }
        }
        history.push_back(std::move(one));
    }
    return history;
}

ai::message some_calls(dice& roll, std::uint64_t attempt) {
    ai::message content{.role = ai::role::model};
    if (roll.chance(30)) {
        content.parts.emplace_back(ai::text_part{.text = "Let me see."});
    }
    for (int left = 1 + roll.below(5); left > 0; --left) {
        ai::call_part call;
        call.id = roll.chance(70) ? "id" + std::to_string(attempt) + "-" + std::to_string(left) : "";
        call.name = roll.one_of<std::string>({"look", "look", "look", "set", "set", "heal", "heal", "plug", "far", "loook", "other"});
        call.arguments = json::object();
        if (roll.chance(50)) {
            call.arguments["n"] = roll.below(5);
        }
        if (roll.chance(2)) {
            call.name.clear();
        }
        if (roll.chance(2)) {
            call.arguments = json::array();
        }
        content.parts.emplace_back(std::move(call));
    }
    return content;
}

struct model_turn {
    std::vector<ai::input::model_delta> deltas = {};
    std::optional<ai::result<ai::model_response>> outcome = {};  ///< nothing: never answers
    ai::duration takes = {};
    bool cancelled = false;
};

model_turn some_turn(std::uint64_t seed, std::uint64_t attempt) {
    dice roll(seed, for_model, attempt);
    model_turn turn{.takes = std::chrono::milliseconds(roll.chance(80) ? roll.below(50) : roll.below(3000)), .cancelled = roll.chance(1)};
    using kind = ai::input::model_delta::kind;
    for (int left = roll.chance(70) ? 0 : roll.below(4); left > 0; --left) {
        turn.deltas.push_back({.attempt = attempt, .what = roll.one_of<kind>({kind::text, kind::thought, kind::restart}), .text = "x"});
    }
    ai::model_response response;
    response.usage = {.input_tokens = roll.below(40), .output_tokens = roll.below(40)};
    if (response.usage.input_tokens > 0) {  // else the cost is not known
        response.cost = ai::money{.micro_dollars = response.usage.total()};
    }
    const auto offer = [&](ai::message content, ai::finish_reason finish, std::string word) {
        response.candidates.push_back({.content = std::move(content), .finish = finish, .finish_text = std::move(word)});
    };
    switch (roll.below(20)) {
        case 0: turn.outcome.reset(); return turn;
        case 1:
        case 2:
        case 3: {
            static const std::vector<ai::errc> codes{ai::errc::rate_limited,   ai::errc::unavailable,      ai::errc::connection_failed,
                                                     ai::errc::authentication, ai::errc::quota_exhausted,  ai::errc::internal,
                                                     ai::errc::timeout,        ai::errc::request_rejected, ai::errc::too_large};
            ai::failure error{.code = roll.one_of(codes), .message = "broken"};
            if (roll.chance(40)) {
                error.retry_after = std::chrono::milliseconds(roll.below(20000));
            }
            turn.outcome = error;
            return turn;
        }
        case 4: break;  // no candidate at all
        case 5: offer(ai::model_message(" "), ai::finish_reason::stop, "STOP"); break;
        case 6: offer({.role = ai::role::model}, ai::finish_reason::malformed, "MALFORMED_FUNCTION_CALL"); break;
        case 7: offer(ai::model_message("bad"), ai::finish_reason::blocked, "SAFETY"); break;
        case 8:
            offer(ai::model_message("bad"), ai::finish_reason::blocked, "SAFETY");
            offer(ai::model_message("good"), ai::finish_reason::stop, "STOP");
            break;
        case 9:
            if (roll.chance(50)) {
                response.prompt_block = "SAFETY";
            } else {
                offer(ai::model_message("cut"), ai::finish_reason::length, "MAX_TOKENS");
            }
            break;
        case 10:
            offer(ai::model_message("An answer."), roll.chance(80) ? ai::finish_reason::stop : ai::finish_reason::unanswered, "STOP");
            break;
        default: offer(some_calls(roll, attempt), ai::finish_reason::stop, "STOP"); break;
    }
    turn.outcome = std::move(response);
    return turn;
}

// ---- typed answers

const json answer_schema = *ai::parse_json(R"({"type": "object", "properties": {"names": {"type": "array", "items": {"type": "string"}},
    "n": {"type": "integer"}}, "required": ["n"], "additionalProperties": false})");

/// A model that answers a question with a schema, well or badly, by a text or by calls.
std::optional<model_turn> some_typed_turn(std::uint64_t seed, const ai::model_request& request, std::uint64_t attempt) {
    dice roll(seed, for_typed, attempt);
    if (roll.chance(60)) {
        return std::nullopt;
    }
    static const std::vector<std::string> texts{R"({"n": 1})",
                                                R"({"names": ["Ann", "Bo"], "n": 2})",
                                                R"({"n": "x"})",
                                                R"({"n": 1)",
                                                R"({"names": ["Ann"]})",
                                                "[]",
                                                "```json\n{\"n\": 3}\n```"};
    const std::string text = roll.one_of(texts);
    const ai::result<json> value = ai::parse_json(text);
    model_turn turn{.takes = std::chrono::milliseconds(roll.below(50))};
    ai::message content{.role = ai::role::model};
    if (request.answer_function.empty() || !value || !value->is_object() || roll.chance(20)) {
        content = ai::model_message(text);
        for (std::size_t at = 0; roll.chance(80) && at < text.size(); at += 3) {
            turn.deltas.push_back({.attempt = attempt, .text = text.substr(at, 3)});
        }
    } else {
        for (int calls = roll.chance(80) ? 1 : 2; calls > 0; --calls) {
            content.parts.emplace_back(ai::call_part{.name = request.answer_function, .arguments = *value});
        }
        if (roll.chance(20)) {
            content.parts.emplace_back(ai::call_part{.name = "look"});
        }
    }
    ai::model_response response;
    response.candidates.push_back({.content = std::move(content), .finish = ai::finish_reason::stop, .finish_text = "STOP"});
    turn.outcome = std::move(response);
    return turn;
}

/// Checks that the values which a run shows only grow, unless they are withdrawn.
class growing_value {
public:
    void see(const ai::event& happened) {
        if (const auto* partial = happened.as<ai::partial_value>()) {
            REQUIRE(has_grown(last, partial->value));
            last = partial->value;
            ++shown;
        } else if (happened.as<ai::step_withdrawn>() != nullptr || happened.as<ai::step_started>() != nullptr) {
            last = nullptr;
        }
    }
    json last = nullptr;
    int shown = 0;

private:
    static bool has_grown(const json& earlier, const json& later) {
        if (earlier.is_null() || earlier == later) {
            return true;
        }
        if (earlier.is_string() && later.is_string()) {
            return ai::as_string(later)->starts_with(*ai::as_string(earlier));
        }
        if (earlier.is_array() && later.is_array()) {
            return earlier.size() <= later.size() && std::equal(earlier.begin(), earlier.end(), later.begin(), has_grown);
        }
        return earlier.is_object() && later.is_object() &&
               std::all_of(earlier.items().begin(), earlier.items().end(), [&](const auto& member) {
                   const json* value = ai::find_member(later, member.key());
                   return value != nullptr && has_grown(member.value(), *value);
               });
    }
};

struct call_turn {
    std::optional<ai::capability_reply> reply = {};  ///< nothing: never
    ai::duration takes = {};
    bool output = false;
    bool twice = false;
    bool cancelled = false;
    bool held = false;       ///< replies when nothing else is to be done
    bool suspended = false;  ///< replies when a person has had time
};

call_turn some_reply(std::uint64_t seed, std::uint64_t number) {
    dice roll(seed, for_reply, number);
    call_turn turn{.reply = {},
                   .takes = std::chrono::milliseconds(roll.chance(85) ? roll.below(20) : roll.below(2500)),
                   .output = roll.chance(10),
                   .twice = roll.chance(5),
                   .cancelled = roll.chance(1),
                   .held = roll.chance(60),
                   .suspended = roll.chance(5)};
    using code = ai::reply_code;
    if (roll.chance(4)) {
        return turn;
    }
    if (roll.chance(25)) {
        turn.reply = ai::reply_error(roll.one_of<code>({code::internal, code::python_exception, code::busy, code::not_allowed,
                                                        code::plugin_error, code::abandoned, code::timeout}),
                                     "broken");
    } else if (roll.chance(15)) {
        turn.reply = ai::reply_with(std::string(static_cast<std::size_t>(roll.below(3000)), roll.chance(50) ? 'x' : '\xC3'));
    } else {
        turn.reply = ai::reply_with(roll.chance(90) ? json(roll.below(2)) : json{{"bytes", json::binary({1, 255})}, {"text", "\xff"}});
    }
    return turn;
}

struct tally {
    std::map<std::string, int> reasons;
    std::map<std::string, int> codes;
};

/// One run in its world.
class world {
public:
    world(std::uint64_t seed, bool restoring, bool typed = false) : seed_(seed), restoring_(restoring), declared_(*ai::declare(specs())) {
        setup_ = {.run_id = "run-" + std::to_string(seed),
                  .instructions = "Be brief.",
                  .history = some_history({seed, for_history, 0}),
                  .question = "question",
                  .limits = some_limits({seed, for_limits, 0}),
                  .seed = seed};
        if (typed) {
            setup_.answer_schema = answer_schema;
            takes_answer_schema_ = seed % 2 == 0;
        }
    }

    void list() { feed(ai::input::declarations{.offered = declared_, .takes_answer_schema = takes_answer_schema_}); }

    ai::answer run() {
        log_.begin(setup_, now_);
        machine_.emplace(setup_, now_);
        take_events();
        for (int decisions = 0;; ++decisions) {
            REQUIRE(decisions < 2000);  // it ends
            if (restoring_ && !restored_beside_) {
                restored_beside_ = !held_.empty();  // once, since it makes the calls again
                for (const auto& [number, turn] : held_) {
                    invoked_.erase(number);
                }
                held_.clear();
                restore();
            }
            if (now_ >= machine_->deadline()) {
                feed(ai::input::woken{});
                continue;
            }
            const ai::machine_action& wanted = machine_->next(now_);
            if (const auto* done = std::get_if<ai::action::finished>(&wanted)) {
                return done->answer;
            }
            act(ai::machine_action(wanted));
        }
    }

    void act(const ai::machine_action& wanted) {
        if (std::holds_alternative<ai::action::list_capabilities>(wanted)) {
            list();
        } else if (const auto* model = std::get_if<ai::action::call_model>(&wanted)) {
            ask(*model);
        } else if (std::holds_alternative<ai::action::ask_approval>(wanted)) {
            approve();
        } else if (const auto* paused = std::get_if<ai::action::await_approval>(&wanted)) {
            decide(*paused);
        } else if (const auto* order = std::get_if<ai::action::invoke_capability>(&wanted)) {
            invoke(*order);
        } else if (const auto* delay = std::get_if<ai::action::wait>(&wanted)) {
            delay_or_reply(delay->until);
        }
    }

    /// Time passes, or a call that runs beside others replies.
    void delay_or_reply(ai::instant until) {
        if (held_.empty()) {
            now_ = until;
            return;
        }
        auto next = held_.begin();
        std::advance(next, dice(seed_, for_reply, next->first).below(static_cast<int>(held_.size())));
        const std::uint64_t number = next->first;
        const call_turn turn = std::move(next->second);
        held_.erase(next);
        restored_beside_ = restored_beside_ && !held_.empty();
        now_ += turn.takes;
        ++replied_beside;
        feed(ai::input::call_reply{.call = number, .reply = *turn.reply});
    }

    void ask(const ai::action::call_model& wanted) {
        CHECK(ai::check_history(wanted.request.messages).empty());
        CHECK(wanted.request.messages.back().role == ai::role::user);
        requests_.insert(wanted.attempt);
        model_turn turn = some_turn(seed_, wanted.attempt);
        if (!setup_.answer_schema.is_null()) {
            CHECK((wanted.request.answer_schema != nullptr) == takes_answer_schema_);
            CHECK(wanted.request.answer_function.empty() == takes_answer_schema_);
            turn = some_typed_turn(seed_, wanted.request, wanted.attempt).value_or(std::move(turn));
        }
        for (ai::input::model_delta& piece : turn.deltas) {
            feed(std::move(piece));
        }
        now_ += turn.takes;
        if (turn.cancelled) {
            feed(ai::input::cancel{});
        } else if (!turn.outcome) {
            now_ = std::max(now_, machine_->deadline());
        } else if (now_ < machine_->deadline()) {
            feed(ai::input::model_result{.attempt = wanted.attempt, .outcome = std::move(*turn.outcome)});
            feed(ai::input::model_delta{.attempt = wanted.attempt, .text = "late"});
        }
    }

    void approve() {
        ai::input::opinions said;
        for (const ai::proposed_call& call : machine_->proposed()) {
            dice roll(seed_, for_opinion, call.number);
            for (int opinions = roll.below(3); opinions > 0; --opinions) {
                said.all.push_back({.call = call.number, .decision = some_decision(roll), .grants = roll.chance(70)});
            }
        }
        feed(std::move(said));
    }

    void decide(const ai::action::await_approval& wanted) {
        CHECK(is_legal_history(wanted.answer.messages));
        CHECK(machine_->deadline() == ai::instant::max());
        REQUIRE_FALSE(wanted.calls.empty());
        ++counts.reasons[std::string(to_string(wanted.answer.reason))];
        now_ += 1h;  // a person has all the time
        const std::vector<ai::pending_call> calls = wanted.calls;
        ai::input::decisions made;
        for (const ai::pending_call& one : wanted.calls) {
            dice roll(seed_, for_ruling, one.call.number * 100 + static_cast<std::uint64_t>(rounds_[one.call.number]++));
            made.rulings.push_back({.call = one.call.number, .decision = some_decision(roll)});
        }
        made.rulings.push_back({.call = 12345, .decision = ai::call_decision::allow()});
        feed(std::move(made));
        for (const ai::pending_call& one : calls) {
            if (one.suspended) {
                feed(ai::input::call_returned{.call = one.call.number, .reply = *some_reply(seed_, one.call.number).reply});
            }
        }
    }

    static ai::call_decision some_decision(dice& roll) {
        switch (roll.below(12)) {
            case 0: return ai::call_decision::deny("no");
            case 1: return ai::call_decision::ask("sure?");
            case 2: return ai::call_decision::allow_with({{"n", roll.below(5)}});
            case 3: return {};
            default: return ai::call_decision::allow();
        }
    }

    void invoke(const ai::action::invoke_capability& order) {
        const ai::capability_call call = machine_->invocation(order.call);
        machine_->began();
        feed(ai::input::invoking{.call = call.number});
        const bool reads = declared_.find(call.name)->effects == ai::effects::read;
        CHECK(invoked_.insert(call.number).second);
        call_turn turn = some_reply(seed_, call.number);
        if (reads && setup_.limits.parallel_reads > 1) {
            // In time, because a read that is made again beside others has its whole time again.
            turn.takes %= 20ms;
            turn.reply = turn.reply ? turn.reply : ai::reply_with("in time");
        }
        if (turn.output) {
            feed(ai::input::call_output{.call = call.number, .text = "so far"});
        }
        if (restoring_ && held_.empty() && declared_.find(call.name)->effects != ai::effects::once) {
            restore();  // invoked and not answered: done again
            invoked_.erase(call.number);
        }
        if (reads && setup_.limits.parallel_reads > 1 && turn.held && !turn.cancelled) {
            held_[call.number] = turn;
            return;
        }
        now_ += turn.takes;
        if (turn.cancelled) {
            feed(ai::input::cancel{});
        } else if (turn.suspended && turn.reply && now_ < machine_->deadline()) {
            ++suspended;
            feed(ai::input::call_returned{.call = call.number, .reply = ai::suspend_call("a courier")});
        } else if (!turn.reply) {
            now_ = std::max(now_, machine_->deadline());
            feed(ai::input::woken{});
        } else if (now_ >= machine_->deadline()) {
            feed(ai::input::woken{});
            feed(ai::input::call_reply{.call = call.number, .reply = *turn.reply});  // late
        } else {
            feed(ai::input::call_reply{.call = call.number, .reply = *turn.reply});
            if (turn.twice) {
                feed(ai::input::call_reply{.call = call.number, .reply = *turn.reply});
            }
        }
    }

    void feed(ai::machine_input in) {
        log_.record(in, now_);
        machine_->feed(std::move(in), now_);
        take_events();
    }

    void take_events() {
        while (const ai::event* one = machine_->take_event()) {
            REQUIRE(one->number == ++last_event_);
            value.see(*one);
            if (const auto* denied = one->as<ai::call_denied>()) {
                ++counts.codes[std::string(to_string(denied->reply.code))];
            } else if (const auto* finished = one->as<ai::call_finished>()) {
                ++counts.codes[std::string(to_string(finished->reply.code))];
            } else if (const auto* ended = one->as<ai::run_finished>()) {
                ++counts.reasons[std::string(to_string(ended->reason))];
            }
        }
    }

    void restore() {
        const json before = machine_->snapshot(now_);
        auto restored = ai::run_machine::restore(seed_ % 16 == 0 ? *ai::parse_json(ai::dump_json(before)) : before, now_);
        REQUIRE(restored);
        REQUIRE(restored->snapshot(now_) == before);
        machine_ = std::move(*restored);
        if (std::holds_alternative<ai::action::list_capabilities>(machine_->next(ai::instant::min()))) {
            list();
        }
    }

    tally counts;
    int replied_beside = 0;
    int suspended = 0;
    growing_value value;
    std::set<std::uint64_t> requests_;
    ai::run_setup setup_;
    struct kept {
        std::vector<ai::journal_record>* records;
        ai::result<void> append(const ai::journal_record& record) {
            records->push_back(record);
            return {};
        }
    };
    std::vector<ai::journal_record> records_;
    std::optional<ai::run_machine> machine_;
    ai::instant now_ = ai::instant{} + 1000s;

private:
    std::uint64_t seed_;
    bool restoring_;
    ai::capability_list declared_;
    ai::detail::run_log log_{kept{&records_}, "run", std::uint64_t{0}};
    std::set<std::uint64_t> invoked_;
    std::map<std::uint64_t, call_turn> held_;
    bool restored_beside_ = false;
    bool takes_answer_schema_ = false;
    std::map<std::uint64_t, int> rounds_;
    std::uint64_t last_event_ = 0;
};

}  // namespace

TEST_CASE("ten thousand random runs end, keep every limit, answer every call once, and go on from everywhere") {
    tally all;
    int in_doubt = 0;
    int replied_beside = 0;
    int suspended = 0;
    // A sanitizer looks at memory, for which a part of them will do.
    const std::uint64_t runs = ai::env("PYAICHAT_RANDOM_RUNS").empty() ? 10'000 : std::stoull(ai::env("PYAICHAT_RANDOM_RUNS"));
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        INFO("seed " << seed);
        world straight(seed, false);
        const ai::answer reply = straight.run();
        const ai::limits& bounds = straight.setup_.limits;
        replied_beside += straight.replied_beside;
        suspended += straight.suspended;
        REQUIRE_FALSE(reply.text.empty());
        REQUIRE(reply.steps <= bounds.max_steps);
        REQUIRE(static_cast<int>(straight.requests_.size()) <= bounds.max_steps * (1 + bounds.transport_retries));
        if (reply.reason != ai::stop_reason::misconfigured) {
            REQUIRE(is_legal_history(reply.messages));
        }
        if (bounds.max_reply_bytes > 0) {
            for (const std::string& one : replies_in(reply.messages)) {
                REQUIRE(one.size() <= bounds.max_reply_bytes);
            }
        }
        for (const auto& [name, count] : straight.counts.reasons) {
            all.reasons[name] += count;
        }
        for (const auto& [name, count] : straight.counts.codes) {
            all.codes[name] += count;
        }

        world restored(seed, true);
        const ai::answer same = restored.run();
        REQUIRE(same.reason == reply.reason);
        REQUIRE(same.text == reply.text);
        REQUIRE(same.steps == reply.steps);
        REQUIRE(same.usage == reply.usage);
        REQUIRE(same.cost == reply.cost);
        REQUIRE(ai::stored(same.messages) == ai::stored(reply.messages));

        // From the journal: all of it, and up to somewhere.
        auto replayed = ai::replay(straight.records_);
        REQUIRE(replayed);
        while (replayed->machine.take_event() != nullptr) {
        }
        REQUIRE(replayed->machine.snapshot(straight.now_) == straight.machine_->snapshot(straight.now_));
        const std::size_t part = 1 + seed % straight.records_.size();
        auto recovered = ai::recover(std::span(straight.records_).first(part), straight.now_);
        REQUIRE(recovered);
        if (!recovered->machine.finished()) {
            recovered->machine.feed(ai::input::declarations{*ai::declare(specs())}, straight.now_);
            while (const ai::event* one = recovered->machine.take_event()) {
                const auto* finished = one->as<ai::call_finished>();
                in_doubt += finished != nullptr && finished->reply.code == ai::reply_code::in_doubt ? 1 : 0;
            }
        }

        // A program that ends each time it goes on.
        std::vector<ai::journal_record> dying(straight.records_.begin(), straight.records_.begin() + static_cast<std::ptrdiff_t>(part));
        for (int i = 0; i < bounds.max_recoveries; ++i) {
            dying.push_back({.run_id = dying[0].run_id,
                             .number = dying.size() + 1,
                             .content = {{"at", straight.now_.time_since_epoch().count()}, {"recovered", true}}});
        }
        auto last = ai::recover(dying, straight.now_);
        REQUIRE(last);
        if (!last->machine.finished()) {
            last->machine.feed(ai::input::declarations{*ai::declare(specs())}, straight.now_);
            REQUIRE(last->machine.finished());
            all.reasons[std::string(to_string(last->machine.reply()->reason))] += 1;
        }
    }
    all.codes["in_doubt"] = in_doubt;
    for (const auto& [name, count] : all.reasons) {
        std::printf("%-20s %d\n", name.c_str(), count);
    }
    for (const auto& [name, count] : all.codes) {
        std::printf("%-20s %d\n", name.c_str(), count);
    }
    std::printf("%-20s %d\n%-20s %d\n", "replied beside", replied_beside, "suspended", suspended);
    if (runs < 10'000) {
        return;  // too few for everything to happen
    }
    CHECK(replied_beside > 0);
    CHECK(suspended > 0);
    for (int i = 0; i <= static_cast<int>(ai::stop_reason::misconfigured); ++i) {
        const auto reason = static_cast<ai::stop_reason>(i);
        INFO(to_string(reason));
        CHECK(all.reasons[std::string(to_string(reason))] > 0);
    }
    for (int i = 0; i <= static_cast<int>(ai::reply_code::in_doubt); ++i) {
        const auto code = static_cast<ai::reply_code>(i);
        INFO(to_string(code));
        CHECK(all.codes[std::string(to_string(code))] > 0);
    }
}

TEST_CASE("random runs with typed questions have a value that fits, or a reason, and go on from everywhere") {
    const std::uint64_t runs = ai::env("PYAICHAT_RANDOM_RUNS").empty() ? 1'000 : std::stoull(ai::env("PYAICHAT_RANDOM_RUNS"));
    const ai::compiled_schema compiled = *ai::compile_schema(answer_schema);
    std::map<std::string, int> reasons;
    int partial_values = 0;
    for (std::uint64_t seed = 1; seed <= runs; ++seed) {
        INFO("seed " << seed);
        world straight(seed, false, true);
        const ai::answer reply = straight.run();
        ++reasons[std::string(to_string(reply.reason))];
        partial_values += straight.value.shown;
        REQUIRE(reply.value.has_value() == (reply.reason == ai::stop_reason::complete));
        if (reply.value) {
            REQUIRE(ai::validate(compiled, *reply.value).empty());
            REQUIRE(straight.value.last == *reply.value);
            REQUIRE(reply.text == ai::dump_json(*reply.value));
        }
        REQUIRE(reply.steps <= straight.setup_.limits.max_steps);
        if (reply.reason != ai::stop_reason::misconfigured) {
            REQUIRE(is_legal_history(reply.messages));
        }

        world restored(seed, true, true);
        const ai::answer same = restored.run();
        REQUIRE(same.reason == reply.reason);
        REQUIRE(same.text == reply.text);
        REQUIRE(same.value == reply.value);
        REQUIRE(same.steps == reply.steps);
        REQUIRE(ai::stored(same.messages) == ai::stored(reply.messages));

        auto replayed = ai::replay(straight.records_);
        REQUIRE(replayed);
        while (replayed->machine.take_event() != nullptr) {
        }
        const json ended = straight.machine_->snapshot(straight.now_);
        REQUIRE(replayed->machine.snapshot(straight.now_) == ended);
        auto again = ai::run_machine::restore(*ai::parse_json(ai::dump_json(ended)), straight.now_);
        REQUIRE(again);
        REQUIRE(again->reply()->value == reply.value);

        // After a crash, another provider may have the other way.
        const std::size_t part = 1 + seed % straight.records_.size();
        auto recovered = ai::recover(std::span(straight.records_).first(part), straight.now_);
        REQUIRE(recovered);
        if (!recovered->machine.finished()) {
            const bool takes = seed % 3 == 0;
            recovered->machine.feed(ai::input::declarations{.offered = *ai::declare(specs()), .takes_answer_schema = takes}, straight.now_);
            const auto* call = std::get_if<ai::action::call_model>(&recovered->machine.next(straight.now_));
            CHECK((call == nullptr || call->request.answer_function.empty() == takes));
        }
    }
    for (const auto& [name, count] : reasons) {
        std::printf("%-20s %d\n", name.c_str(), count);
    }
    std::printf("%-20s %d\n", "partial values", partial_values);
    if (runs >= 1'000) {
        for (const char* reason : {"complete", "invalid_response", "max_steps", "total_timeout", "cancelled", "blocked", "unanswered"}) {
            INFO(reason);
            CHECK(reasons[reason] > 0);
        }
        CHECK(partial_values > 100);
    }
}

}  // namespace random_runs_tests
