#pragma once
/// A model, capabilities, hooks, an approval policy and a journal that behave at random, well and badly, and write down what they are
/// asked.
///
/// A test that derives from `random_surroundings` gives an agent the policies at the end of this file, and pumps the run in rounds.
#include <pyaichat/agent/run.hpp>
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/run_hooks.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/testing/manual_clock.hpp>

#include <map>
#include <memory>
#include <span>
#include <stdexcept>

#include "random_values.hpp"
#include "transcript.hpp"

namespace support {

namespace fake = pyaichat::testing;

/// What was put off to a later round.
class agenda {
public:
    static constexpr int never = 1'000'000;
    void add(int round, ai::task work) { items_.push_back({round, std::move(work)}); }
    void run(int round) {
        std::vector<item> all = std::exchange(items_, {});
        for (item& due : all) {
            if (due.round <= round) {
                due.work();
                due.work = nullptr;
            } else {
                items_.push_back(std::move(due));
            }
        }
    }
    void drop_all() {
        while (!items_.empty()) {
            const std::vector<item> dropped = std::exchange(items_, {});
        }
    }

private:
    struct item {
        int round;
        ai::task work;
    };
    std::vector<item> items_;
};

/// How often things happened, by name.
using tally = std::map<std::string, int>;

class random_surroundings {
public:
    random_surroundings(std::uint64_t seed, tally& counts) : seed_(seed), counts_(counts) {}
    random_surroundings(const random_surroundings&) = delete;
    random_surroundings& operator=(const random_surroundings&) = delete;

    // ---- the model

    [[nodiscard]] bool model_is_async() const { return model_is_async_; }

    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
        dice roll = next(topic::model);
        say("model is asked, cancelled", cancel.stop_requested(), text_of(request));
        model_turn turn = some_turn(roll);
        for (const model_piece& piece : turn.pieces) {
            show(sink, piece);
        }
        if (roll.chance(1)) {
            throw std::runtime_error("the model is broken");
        }
        return std::move(turn.outcome);
    }

    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply reply) {
        dice roll = next(topic::model);
        say("model is started", text_of(request));
        disturb(roll);
        model_turn turn = some_turn(roll);
        int round = round_;
        for (const model_piece& piece : turn.pieces) {
            round += turn.pieces.size() < 100 && roll.chance(40) ? 1 : 0;
            if (round == round_) {
                show(sink, piece);
            } else {
                later_.add(round, [sink, piece] { show(sink, piece); });
            }
        }
        const auto answer = [this, cancel, outcome = std::move(turn.outcome)](ai::model_reply& kept) {
            say("model answers, cancelled", cancel.stop_requested());
            kept(outcome);
        };
        if (round > round_) {
            later_.add(round, [answer, kept = std::move(reply)]() mutable { answer(kept); });
        } else {
            answer_somehow(roll, "model", std::move(reply), answer, 6);
        }
    }

    // ---- capabilities

    void invoke(const ai::capability_call& call, ai::capability_responder responder) {
        dice roll = next(topic::call);
        const std::string label = line("call", asked_[topic::call]);
        say(label, "is invoked", text_of(call), "cancelled", call.cancel.stop_requested());
        disturb(roll);
        if (roll.chance(10)) {
            responder.output("so far\n");
        }
        if (roll.chance(call.name == "relay" ? 90 : 3)) {
            nest(roll, label, call, std::move(responder));
            return;
        }
        const bool shows = roll.chance(10);
        const auto answer = [this, label, cancel = call.cancel, shows, reply = some_reply(roll)](ai::capability_responder& kept) {
            say(label, "answers, cancelled", cancel.stop_requested());
            if (shows) {
                kept.output("at last\n");
            }
            kept(reply);
        };
        answer_somehow(roll, "capability", std::move(responder), answer, 16);
    }

    // ---- approval, journal, observers

    ai::call_decision decide(std::string_view who, const ai::proposed_call& call) {
        dice roll = next(topic::policy);
        named_decision decision = some_decision(roll);
        say(who, "is asked about", text_of(call), "and says", decision.name);
        disturb(roll);
        if (roll.chance(2)) {
            count("policy threw");
            throw std::runtime_error("the policy is broken");
        }
        return decision.value;
    }

    ai::result<void> append(const ai::journal_record& record) {
        if (records_at_.size() >= journal_fails_at_) {
            count("journal failed");
            if (journal_throws_) {
                throw std::runtime_error("the disk is gone");
            }
            return ai::failure{.code = ai::errc::unavailable, .message = "the disk is full"};
        }
        records_.push_back(record);
        return {};
    }

    void observe(const ai::event& happened) {
        dice roll = next(topic::look);
        say("event", text_of(happened));
        if (const auto* denied = happened.as<ai::call_denied>()) {
            count("code " + text(denied->reply.code));
        } else if (const auto* finished = happened.as<ai::call_finished>()) {
            count("code " + text(finished->reply.code));
        } else if (happened.as<ai::run_finished>() != nullptr) {
            say("done", run_.done(), run_.done() ? run_.reply().text : "");
        }
        disturb(roll);
        if (tampering_ && roll.chance(1)) {
            count("observer threw");
            throw std::runtime_error("the observer is broken");
        }
    }

    // ---- hooks

    void look(int hook, std::string_view what, const std::string& seen) {
        dice roll = next(topic::look);
        say("hook", hook, "sees", what, hexadecimal(hash_of(seen)));
        disturb(roll);
        if (roll.chance(2)) {
            count("hook threw while looking");
            throw std::runtime_error("the hook is broken");
        }
    }

    ai::call_decision decide_at_once(int hook, const ai::proposed_call& call) {
        dice roll = next(topic::gate);
        named_decision decision = some_decision(roll);
        say("hook", hook, "is asked about", text_of(call), "and says", decision.name);
        count("hook said " + decision.name);
        disturb(roll);
        if (roll.chance(3)) {
            count("hook threw while deciding");
            throw std::runtime_error("the hook is broken");
        }
        return decision.value;
    }

    void decide_later(int hook, const ai::proposed_call& call, ai::hook_responder<ai::call_decision> responder) {
        dice roll = next(topic::gate);
        named_decision decision = some_decision(roll);
        say("hook", hook, "is asked about", text_of(call), "and will say", decision.name);
        disturb(roll);
        const auto answer = [this, hook, name = call.name, decision](ai::hook_responder<ai::call_decision>& kept) {
            say("hook", hook, "says", decision.name, "to", name);
            kept(decision.value);
        };
        answer_somehow(roll, "deferred decision", std::move(responder), answer, 12);
    }

    void change_at_once(int hook, const ai::capability_call& call, ai::capability_reply& reply) {
        dice roll = next(topic::redaction);
        say("hook", hook, "sees the reply", text_of(call), text_of(reply));
        disturb(roll);
        if (roll.chance(20)) {
            count("hook changed a reply");
            reply = roll.chance(50) ? ai::reply_with("***") : some_reply(roll);
        }
        if (roll.chance(3)) {
            count("hook threw with a reply");
            throw std::runtime_error("the hook is broken");
        }
    }

    void change_later(int hook, const ai::capability_call& call, ai::capability_reply reply,
                      ai::hook_responder<ai::capability_reply> responder) {
        dice roll = next(topic::redaction);
        say("hook", hook, "is given the reply", text_of(call), text_of(reply));
        disturb(roll);
        if (roll.chance(20)) {
            reply = some_reply(roll);
        }
        const auto answer = [this, hook, number = call.number, reply](ai::hook_responder<ai::capability_reply>& kept) {
            say("hook", hook, "gives back the reply to", number);
            kept(reply);
        };
        answer_somehow(roll, "deferred reply", std::move(responder), answer, 12);
    }

    std::string note_at_once(int hook, const ai::closing_answer& ended) {
        dice roll = next(topic::note);
        say("hook", hook, "sees the end", ended.question, ended.text, ended.reason);
        disturb(roll);
        if (roll.chance(3)) {
            count("hook threw with an answer");
            throw std::runtime_error("the hook is broken");
        }
        return roll.chance(50) ? std::string() : line("Note", ++notes_given_);
    }

    void note_later(int hook, const ai::closing_answer& ended, ai::hook_responder<std::string> responder) {
        dice roll = next(topic::note);
        say("hook", hook, "sees the end and adds a note", ended.question, ended.text, ended.reason);
        disturb(roll);
        const auto answer = [this, hook](ai::hook_responder<std::string>& kept) {
            say("hook", hook, "gives its note");
            kept(line("Note", ++notes_given_));
        };
        answer_somehow(roll, "deferred note", std::move(responder), answer, 16);
    }

protected:
    ~random_surroundings() = default;

    template <class... Parts>
    void say(const Parts&... parts) {
        transcript_ += line(parts...) + "\n";
        records_at_.push_back(records_.size());
    }
    void count(const std::string& what) { ++counts_[what]; }
    [[nodiscard]] dice next(topic what) { return {seed_, what, asked_[what]++}; }

    std::uint64_t seed_;
    tally& counts_;
    std::string transcript_;
    std::vector<std::size_t> records_at_;  ///< how many records there were when each line was written
    std::map<topic, std::uint64_t> asked_;
    std::vector<ai::journal_record> records_;
    std::size_t journal_fails_at_ = static_cast<std::size_t>(-1);  ///< when the transcript has so many lines
    bool journal_throws_ = false;
    bool model_is_async_ = false;
    bool tampering_ = false;  ///< callbacks cancel the run, drop its handle, or throw where nobody catches it
    int round_ = 0;
    int notes_given_ = 0;
    fake::manual_clock clock_;
    agenda later_;
    ai::pumped_run run_;

private:
    /// A call that makes others.
    struct outer_call {
        std::string label;
        int depth = 1;
        std::size_t asked = 0;
        std::size_t told = 0;
        std::size_t replies_after = 0;  ///< so many nested replies; 0: never
        bool asks_after_reply = false;
        std::string replies = {};
        ai::nested_caller others = {};
        ai::cancel_token cancel = {};
        ai::capability_responder responder = {};
    };

    static void show(const ai::delta_sink& sink, const model_piece& piece) {
        using kind = ai::delta_sink::kind;
        switch (piece.first) {
            case kind::text: sink.text(piece.second); break;
            case kind::thought: sink.thought(piece.second); break;
            case kind::restart: sink.restart(); break;
        }
    }

    /// Holds the pumping thread for some time; in some runs it also cancels the run, or drops its handle.
    void disturb(dice& roll) {
        if (roll.chance(1)) {
            count("pumping thread held");
            clock_.advance(roll.up_to(2000));
        }
        if (tampering_ && roll.chance(2)) {
            count("cancelled in a callback");
            run_.cancel();
        }
        if (tampering_ && roll.chance(1)) {
            count("dropped in a callback");
            run_ = {};
        }
    }

    /// Calls `answer` with the responder at once or in a later round. With a chance of `mishaps` in a hundred: never, or it throws.
    template <class Responder, class Answer>
    void answer_somehow(dice& roll, const std::string& who, Responder responder, Answer answer, int mishaps) {
        const int round = round_ + 1 + (roll.chance(80) ? roll.below(2) : roll.below(12));
        const auto answer_later = [&] {
            later_.add(round, [this, who, answer, kept = std::move(responder)]() mutable {
                count(who + " answered later");
                answer(kept);
            });
        };
        if (!roll.chance(mishaps)) {
            if (roll.chance(60)) {
                count(who + " answered at once");
                answer(responder);
            } else {
                answer_later();
            }
            return;
        }
        switch (roll.below(7)) {
            case 0: count(who + " dropped at once"); break;
            case 1:
                count(who + " dropped later");
                later_.add(round, [kept = std::move(responder)] {});
                break;
            case 2:
                count(who + " never answered");
                later_.add(agenda::never, [kept = std::move(responder)] {});
                break;
            case 3: count(who + " threw"); throw std::runtime_error("broken");
            case 4:
                count(who + " answered and threw");
                answer(responder);
                throw std::runtime_error("broken after the answer");
            case 5:
                count(who + " threw and answered later");
                answer_later();
                throw std::runtime_error("broken before the answer");
            default:
                count(who + " took long");
                clock_.advance(roll.up_to(3000));
                answer(responder);
        }
    }

    void nest(dice& roll, const std::string& label, const ai::capability_call& call, ai::capability_responder responder) {
        if (!call.others) {
            count("nested too deep");
            responder(ai::reply_with("too deep"));
            return;
        }
        const auto outer = std::make_shared<outer_call>(outer_call{.label = label, .others = call.others, .cancel = call.cancel});
        outer->responder = std::move(responder);
        if (const auto depth = ai::integer_member(call.arguments, "depth")) {
            outer->depth = static_cast<int>(*depth) + 1;
        }
        auto calls = static_cast<std::size_t>(1 + roll.below(3));
        if (roll.rarely(20)) {
            calls = 270;  // more than may wait
        }
        outer->replies_after = roll.chance(80) ? calls : static_cast<std::size_t>(roll.below(3));
        outer->asks_after_reply = roll.chance(10);
        for (std::size_t i = 0; i < calls; ++i) {
            if (calls > 100 || roll.chance(70)) {
                ask_nested(outer, roll);
                continue;
            }
            const int round = round_ + 1 + roll.below(3);
            dice own = next(topic::nested);
            later_.add(round, [this, outer, own]() mutable {
                try {
                    ask_nested(outer, own);
                } catch (const std::exception& thrown) {
                    say(outer->label, "throws", thrown.what());  // from its own receiver, which was told at once
                }
            });
        }
        if (roll.chance(5) && outer->responder) {
            count("nested: outer call replied first");
            outer->responder(some_reply(roll));
        }
    }

    void ask_nested(const std::shared_ptr<outer_call>& outer, dice& roll) {
        if (outer->cancel.stop_requested()) {
            return;
        }
        const std::string label = line(outer->label, "nested", ++outer->asked);
        const std::string name = some_nested_name(roll);
        json arguments = some_arguments(roll);
        if (arguments.is_object()) {
            arguments["depth"] = outer->depth;
        }
        if (roll.rarely(50)) {
            arguments["n"] = deep_value();
        }
        say(label, "asks for", name, arguments);
        const auto told = [this, outer, label](ai::capability_reply reply) { on_nested_reply(outer, label, reply); };
        outer->others(name, std::move(arguments), ai::capability_responder(told));
    }

    void on_nested_reply(const std::shared_ptr<outer_call>& outer, const std::string& label, const ai::capability_reply& reply) {
        if (outer->cancel.stop_requested()) {
            return;  // nobody waits for it
        }
        dice roll = next(topic::nested_reply);
        say(label, "is told", text_of(reply));
        count("nested reply " + text(reply.code));
        if (reply.ok()) {
            count(line("nested ok at depth", outer->depth));
        }
        outer->replies += text(reply.code) + (reply.ok() ? text(reply.result) : "") + ";";
        disturb(roll);
        if (++outer->told == outer->replies_after && outer->responder) {
            say(outer->label, "replies after its nested calls");
            count("nested: reply made of nested replies");
            outer->responder(ai::reply_with(outer->replies));
            if (outer->asks_after_reply) {
                count("nested: asked after the reply");
                ask_nested(outer, roll);
            }
        }
        if (roll.chance(2)) {
            count("nested: receiver threw");
            throw std::runtime_error("the receiver is broken");
        }
    }
};

// ---- the policies that an agent is given

/// A provider of both forms. Which of them a run uses is fixed when the run begins.
struct random_model {
    random_surroundings* in;
    [[nodiscard]] bool is_async() const { return in->model_is_async(); }
    ai::result<ai::model_response> complete(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel) {
        return in->complete(request, sink, cancel);
    }
    void start(const ai::model_request& request, const ai::delta_sink& sink, const ai::cancel_token& cancel, ai::model_reply reply) {
        in->start(request, sink, cancel, std::move(reply));
    }
};

struct looking_hook {
    random_surroundings* in;
    int index;
    void on_question(std::string_view question) { in->look(index, "question", std::string(question)); }
    void before_model(const ai::model_request& request) { in->look(index, "request", text_of(request)); }
    void on_event(const ai::event& happened) { in->look(index, "event", text_of(happened)); }
};
struct quick_hook : looking_hook {
    ai::call_decision before_call(const ai::proposed_call& call) { return in->decide_at_once(index, call); }
    void after_call(const ai::capability_call& call, ai::capability_reply& reply) { in->change_at_once(index, call, reply); }
    std::string on_answer(const ai::closing_answer& ended) { return in->note_at_once(index, ended); }
};
struct slow_hook {
    random_surroundings* in;
    int index;
    void before_call(const ai::proposed_call& call, ai::hook_responder<ai::call_decision> responder) {
        in->decide_later(index, call, std::move(responder));
    }
    void after_call(const ai::capability_call& call, ai::capability_reply reply, ai::hook_responder<ai::capability_reply> responder) {
        in->change_later(index, call, std::move(reply), std::move(responder));
    }
    void on_answer(const ai::closing_answer& ended, ai::hook_responder<std::string> responder) {
        in->note_later(index, ended, std::move(responder));
    }
};
/// Decides at once, and changes replies and adds notes later.
struct mixed_hook : looking_hook {
    ai::call_decision before_call(const ai::proposed_call& call) { return in->decide_at_once(index, call); }
    void after_call(const ai::capability_call& call, ai::capability_reply reply, ai::hook_responder<ai::capability_reply> responder) {
        in->change_later(index, call, std::move(reply), std::move(responder));
    }
    void on_answer(const ai::closing_answer& ended, ai::hook_responder<std::string> responder) {
        in->note_later(index, ended, std::move(responder));
    }
};

/// Gives no decision about the calls of a batch behind the second one.
struct short_policy {
    random_surroundings* in;
    std::vector<ai::call_decision> decide(std::span<const ai::proposed_call> batch) {
        std::vector<ai::call_decision> decisions;
        for (const ai::proposed_call& call : batch.first(std::min<std::size_t>(batch.size(), 2))) {
            decisions.push_back(in->decide("policy", call));
        }
        return decisions;
    }
};

struct memory_journal {
    random_surroundings* in;
    ai::result<void> append(const ai::journal_record& record) { return in->append(record); }
};

}  // namespace support
