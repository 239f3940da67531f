#pragma once
/// Random limits, messages, responses, replies and decisions, good and bad, for runs that must repeat exactly everywhere: own integer
/// arithmetic, and no two numbers drawn in one expression.
#include <pyaichat/agent/limits.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/response.hpp>
#include <pyaichat/policy/model_provider.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "transcript.hpp"

namespace support {

using namespace std::chrono_literals;

/// What a number is for.
enum class topic : std::uint64_t { setup, history, model, call, nested, nested_reply, gate, redaction, note, policy, look, host, time };

/// Numbers that depend on the run, on what they are for and how often that was asked before, and on nothing else (SplitMix64).
class dice {
public:
    dice(std::uint64_t seed, topic what, std::uint64_t which)
        : state_(mixed(mixed(mixed(seed) + static_cast<std::uint64_t>(what)) + which)) {}
    std::uint64_t next() { return mixed(state_ += 0x9E3779B97F4A7C15u); }
    int below(int end) { return static_cast<int>(next() % static_cast<std::uint64_t>(end)); }
    bool chance(int percent) { return below(100) < percent; }
    bool rarely(int per_ten_thousand) { return below(10'000) < per_ten_thousand; }
    ai::duration up_to(int milliseconds) { return std::chrono::milliseconds(below(milliseconds + 1)); }
    template <class T, std::size_t Size>
    T one_of(const std::array<T, Size>& all) {
        return all[static_cast<std::size_t>(below(static_cast<int>(Size)))];
    }

private:
    static std::uint64_t mixed(std::uint64_t x) {
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9u;
        x = (x ^ (x >> 27)) * 0x94D049BB133111EBu;
        return x ^ (x >> 31);
    }
    std::uint64_t state_;
};

/// Deeper than arguments and replies may nest, and not too deep to be copied.
inline json deep_value() {
    json value = json::object();
    for (int i = 0; i < 110; ++i) {
        json outer = json::object();
        outer["x"] = std::move(value);
        value = std::move(outer);
    }
    return value;
}

inline ai::limits some_limits(dice& roll) {
    ai::limits bounds;
    bounds.max_steps = 1 + roll.below(9);
    bounds.step_timeout = 500ms + roll.up_to(4000);
    bounds.total_timeout = 1000ms + roll.up_to(15000);
    bounds.invalid_response_retries = roll.below(3);
    bounds.transport_retries = roll.below(3);
    bounds.call_timeout = 200ms + roll.up_to(2000);
    bounds.max_calls_per_step = 1 + roll.below(5);
    bounds.max_calls = roll.chance(20) ? 64 : 1 + roll.below(15);
    bounds.max_reply_bytes = roll.chance(30) ? 0 : static_cast<std::size_t>(256 + roll.below(400));
    bounds.max_tokens_total = roll.chance(70) ? 0 : 50 + roll.below(400);
    bounds.max_repeats = roll.chance(20) ? 0 : 1 + roll.below(3);
    if (roll.chance(1)) {
        bounds.max_steps = 0;
    }
    bounds.parallel_reads = roll.chance(50) ? 1 : 2 + roll.below(4);
    if (roll.chance(10)) {
        bounds.approval_timeout = 100ms + roll.up_to(3000);
    }
    return bounds;
}

inline ai::conversation some_history(dice roll) {
    ai::conversation history;
    for (int left = roll.below(4); left > 0; --left) {
        ai::message turn{.role = roll.chance(50) ? ai::role::user : ai::role::model};
        for (int parts = roll.below(3); parts > 0; --parts) {
            switch (roll.below(3)) {
                case 0: turn.parts.emplace_back(ai::text_part{.text = "words"}); break;
                case 1: turn.parts.emplace_back(ai::call_part{.id = "old", .name = "look"}); break;
                default: turn.parts.emplace_back(ai::response_part{.id = "old", .name = "look"}); break;
            }
        }
        history.push_back(std::move(turn));
    }
    return history;
}

/// Most of them fit a declaration with an optional integer `n` up to 3.
inline json some_arguments(dice& roll) {
    json arguments = json::object();
    if (roll.chance(60)) {
        arguments["n"] = roll.below(roll.chance(20) ? 6 : 2);
    }
    if (roll.chance(2)) {
        arguments = json::array();
    }
    return arguments;
}

/// Names of capabilities; `loook` is mostly unknown.
inline std::string some_name(dice& roll) {
    static constexpr std::array names{"look", "look",  "set",   "heal",  "heal",  "plug", "peek",
                                      "far",  "relay", "relay", "relay", "guard", "add",  "loook"};
    return roll.one_of(names);
}
inline std::string some_nested_name(dice& roll) {
    return roll.chance(35) ? "relay" : some_name(roll);
}

inline ai::message some_calls(dice& roll) {
    ai::message content{.role = ai::role::model};
    if (roll.chance(30)) {
        content.parts.emplace_back(ai::text_part{.text = "Let me see."});
    }
    if (roll.chance(10)) {
        content.parts.emplace_back(ai::thought_part{.text = "Hm."});
    }
    for (int left = 1 + roll.below(4); left > 0; --left) {
        ai::call_part call{
            .id = roll.chance(70) ? line("id", roll.below(9)) : "", .name = some_name(roll), .arguments = some_arguments(roll)};
        if (roll.chance(1)) {
            call.name.clear();
        } else if (roll.chance(1)) {
            call.arguments["n"] = deep_value();
        }
        content.parts.emplace_back(std::move(call));
        if (roll.chance(15)) {
            content.parts.push_back(content.parts.back());  // the same call again
        }
    }
    if (roll.chance(5)) {
        content.parts.emplace_back(ai::response_part{.id = "id1", .name = "look"});
        content.parts.emplace_back(ai::opaque_part{.wire = "opaque"});
    }
    if (roll.chance(10)) {
        content.wire = ai::wire_form{.provider = "test", .body = {{"n", roll.below(9)}}};
    }
    return content;
}

inline ai::failure some_failure(dice& roll) {
    ai::failure error{.code = static_cast<ai::errc>(roll.below(static_cast<int>(ai::errc::too_large) + 1)), .message = "broken"};
    if (roll.chance(60)) {
        error.code = roll.one_of(std::array{ai::errc::rate_limited, ai::errc::unavailable, ai::errc::connection_failed, ai::errc::timeout});
    }
    if (roll.chance(40)) {
        error.retry_after = roll.up_to(roll.chance(50) ? 300 : 20000);
    }
    if (roll.chance(20)) {
        error.hint = "Try another one.";
    }
    return error;
}

using model_piece = std::pair<ai::delta_sink::kind, std::string>;

struct model_turn {
    std::vector<model_piece> pieces = {};
    ai::result<ai::model_response> outcome = ai::failure{};
};

inline model_turn some_turn(dice& roll) {
    using kind = ai::delta_sink::kind;
    model_turn turn;
    int pieces = roll.chance(60) ? 0 : roll.below(5);
    if (roll.rarely(30)) {
        pieces = 600;  // so many that they are joined
    }
    for (; pieces > 0; --pieces) {
        turn.pieces.emplace_back(roll.one_of(std::array{kind::text, kind::text, kind::thought, kind::restart}), line("piece", pieces));
    }
    ai::model_response response;
    response.usage = {.input_tokens = roll.below(40), .output_tokens = roll.below(40), .cached_tokens = roll.below(5)};
    const auto offer = [&](ai::message content, ai::finish_reason finish, std::string word) {
        response.candidates.push_back({.content = std::move(content), .finish = finish, .finish_text = std::move(word)});
    };
    switch (roll.below(34)) {
        case 0:
        case 1:
        case 2:
        case 3: turn.outcome = some_failure(roll); return turn;
        case 4: break;  // no candidate
        case 5: offer(ai::model_message(" "), ai::finish_reason::stop, "STOP"); break;
        case 6: offer({.role = ai::role::model}, ai::finish_reason::malformed, "MALFORMED_FUNCTION_CALL"); break;
        case 7: offer(ai::model_message("bad"), ai::finish_reason::blocked, "SAFETY"); break;
        case 8:
            offer(ai::model_message("bad"), ai::finish_reason::blocked, "SAFETY");
            offer(roll.chance(50) ? ai::model_message("good") : some_calls(roll), ai::finish_reason::stop, "STOP");
            break;
        case 9:
            if (roll.chance(50)) {
                response.prompt_block = "SAFETY";
            } else {
                offer(roll.chance(50) ? ai::model_message("cut") : some_calls(roll), ai::finish_reason::length, "MAX_TOKENS");
            }
            break;
        case 10: offer(ai::model_message("An answer."), ai::finish_reason::stop, "STOP"); break;
        case 11:
            offer(ai::model_message("An answer."), roll.chance(80) ? ai::finish_reason::stop : ai::finish_reason::unanswered, "STOP");
            break;
        default: offer(some_calls(roll), ai::finish_reason::stop, "STOP"); break;
    }
    turn.outcome = std::move(response);
    return turn;
}

inline ai::capability_reply some_reply(dice& roll) {
    switch (roll.below(12)) {
        case 0:
        case 1: {
            // Any code but `ok`.
            const auto code = static_cast<ai::reply_code>(1 + roll.below(static_cast<int>(ai::reply_code::in_doubt)));
            return ai::reply_error(code, "broken", roll.chance(20) ? json{{"why", "broken"}} : json());
        }
        case 2: {
            const auto size = static_cast<std::size_t>(roll.below(2000));
            return ai::reply_with(std::string(size, roll.chance(50) ? 'x' : '\xC3'));
        }
        case 3: return ai::reply_with(roll.chance(10) ? deep_value() : json::array({1, "two", {{"three", 3}}}));
        case 4: return ai::to_reply(some_failure(roll));
        case 5: return ai::reply_with({{"hp", roll.below(3)}, {"name", "medic"}});
        case 6: return roll.chance(50) ? ai::suspend_call(roll.chance(50) ? "a courier" : "") : ai::reply_with(json::binary({1, 255}));
        default: return ai::reply_with(roll.below(2));
    }
}

struct named_decision {
    ai::call_decision value = {};
    std::string name = {};
};

inline named_decision some_decision(dice& roll) {
    switch (roll.below(20)) {
        case 0:
        case 1: return {ai::call_decision::deny(roll.chance(80) ? line("no", roll.below(9)) : ""), "deny"};
        case 2: return {ai::call_decision::ask("sure?"), "ask"};
        case 3: {
            ai::call_decision about = ai::call_decision::ask();
            about.arguments = json{{"n", roll.below(4)}};
            return {about, "ask about others"};
        }
        case 4:
        case 5: return {ai::call_decision::allow_with({{"n", roll.below(5)}}), "change"};
        case 6: return {ai::call_decision::allow_with(roll.chance(20) ? deep_value() : json{{"n", 1}}), "change"};
        case 7:
        case 8:
        case 9: return {{}, "abstain"};
        default: return {ai::call_decision::allow(), "allow"};
    }
}

using tally = std::map<std::string, int>;

}  // namespace support
