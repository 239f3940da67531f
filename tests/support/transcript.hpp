#pragma once
/// Everything that a host can see of a run, as text: so that two runs can be compared, and what differs can be read.
#include <pyaichat/agent/answer.hpp>
#include <pyaichat/message/call_decision.hpp>
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/event.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/message/stored_conversation.hpp>

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace support {

namespace ai = pyaichat;
using ai::json;

/// A number, a time in nanoseconds, a JSON value, a string, or the name of an enumerator.
template <class T>
std::string text(const T& value) {
    if constexpr (std::same_as<T, json>) {
        return ai::dump_json(value);
    } else if constexpr (std::same_as<T, bool>) {
        return value ? "yes" : "no";
    } else if constexpr (std::integral<T>) {
        return std::to_string(value);
    } else if constexpr (std::same_as<T, ai::duration>) {
        return value == ai::duration::max() ? "max" : std::to_string(value.count());
    } else if constexpr (std::same_as<T, ai::instant>) {
        return value == ai::instant::max() ? "max" : text(value.time_since_epoch());
    } else if constexpr (std::convertible_to<const T&, std::string_view>) {
        return std::string(std::string_view(value));
    } else {
        return std::string(to_string(value));  // an enumeration
    }
}

/// The parts as text, with spaces between them.
template <class... Parts>
std::string line(const Parts&... parts) {
    std::string all;
    ((all += all.empty() ? "" : " ", all += text(parts)), ...);
    return all;
}

inline std::string text_of(const ai::conversation& messages) {
    return text(ai::stored(messages));
}
inline std::string text_of(const ai::capability_reply& reply) {
    return text(reply.envelope());
}
inline std::string text_of(const ai::failure& error) {
    return line(error.code, "|", error.message, "|", error.hint, "|", error.retry_after ? text(*error.retry_after) : "-");
}
inline std::string text_of(const ai::result<void>& done) {
    return done ? "ok" : text_of(done.error());
}
inline std::string text_of(const ai::token_usage& usage) {
    return line(usage.input_tokens, usage.output_tokens, usage.cached_tokens, usage.thought_tokens);
}
inline std::string text_of(const ai::proposed_call& call) {
    return line("id", call.id, call.name, call.arguments, call.effects, call.from, call.origin);
}
inline std::string text_of(const ai::capability_call& call) {
    return line(call.run_id, call.step, call.number, "id", call.id, call.name, call.arguments, call.deadline, call.time_left, "others",
                static_cast<bool>(call.others));
}
inline std::string text_of(const ai::model_request& request) {
    std::string names;
    for (const ai::capability_spec& spec : request.declarations) {
        names += spec.name + ",";
    }
    return line(request.instructions, request.mode, request.time_left, names, text_of(request.messages));
}
inline std::string text_of(const ai::answer& reply) {
    return line(reply.reason, reply.steps, text_of(reply.usage), "error", reply.error ? text_of(*reply.error) : "-", "events",
                reply.events.size(), "text", reply.text, "messages", text_of(reply.messages));
}

struct members_of_event {
    std::string operator()(const ai::run_started& e) const { return e.question; }
    std::string operator()(const ai::step_started& e) const { return line(e.step); }
    std::string operator()(const ai::text_delta& e) const { return line(e.step, e.text); }
    std::string operator()(const ai::thought_delta& e) const { return line(e.step, e.text); }
    std::string operator()(const ai::step_withdrawn& e) const { return line(e.step, e.why); }
    std::string operator()(const ai::partial_value& e) const { return line(e.step, e.value); }
    std::string operator()(const ai::calls_proposed& e) const {
        std::string all = line(e.step);
        for (const ai::call_part& call : e.calls) {
            all += " [" + line(call.id, call.name, call.arguments) + "]";
        }
        return all;
    }
    std::string operator()(const ai::call_denied& e) const { return line(e.step, e.call, e.name, e.arguments, text_of(e.reply)); }
    std::string operator()(const ai::call_started& e) const { return line(e.step, e.call, e.name, e.arguments); }
    std::string operator()(const ai::call_output& e) const { return line(e.step, e.call, e.text); }
    std::string operator()(const ai::call_finished& e) const { return line(e.step, e.call, e.name, e.arguments, text_of(e.reply), e.took); }
    std::string operator()(const ai::retry_scheduled& e) const { return line(e.step, e.retry, e.delay, e.why); }
    std::string operator()(const ai::usage_updated& e) const { return text_of(e.usage); }
    std::string operator()(const ai::step_finished& e) const { return line(e.step); }
    std::string operator()(const ai::run_finished& e) const { return text(e.reason); }
};
inline std::string text_of(const ai::event& happened) {
    return line(happened.number, ai::event_name(happened), happened.run_id, happened.time, std::visit(members_of_event(), happened.data));
}

/// FNV-1a, 64 bits.
inline std::uint64_t hash_of(std::string_view bytes) {
    std::uint64_t hash = 0xCBF29CE484222325u;
    for (const char byte : bytes) {
        hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3u;
    }
    return hash;
}
inline std::string hexadecimal(std::uint64_t number) {
    std::string digits(16, '0');
    for (std::size_t i = digits.size(); i-- > 0; number >>= 4) {
        digits[i] = "0123456789abcdef"[number & 15];
    }
    return digits;
}

}  // namespace support
