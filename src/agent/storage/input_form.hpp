#pragma once
#include "agent/storage/setup_form.hpp"

#include <pyaichat/agent/run_machine.hpp>

#include <array>
#include <optional>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

[[nodiscard]] inline std::string_view to_string(delta_sink::kind value) noexcept {
    return detail::word_of(value);
}

/// The stored form of the inputs, for the journal. Feeding them again gives the same machine, byte for byte. An input is an object with one
/// member, named like the input. Structs are stored by their fields, apart from the specializations below.
namespace detail {

/// Incremented when older versions cannot read the new format.
inline constexpr int journal_format = 4;

/// Returns the format of the journal that begins with this setup or snapshot. Runs whose answer has no schema keep the format before.
[[nodiscard]] inline int journal_format_of(const json& begin) {
    return find_member(begin, "answer_schema") != nullptr ? journal_format : 3;
}

template <>
struct stored_members<machine_input> {
    static void members(auto& in, auto& member) {
        // A `call_returned` is recorded only if there are no hooks, as the final reply. Notes are not recorded.
        constexpr std::array<std::string_view, std::variant_size_v<machine_input>> names{
            "declarations", "model_delta", "model_result", "opinions", "decisions", "invoking", "call_output",
            "call_reply",   "call_reply",  "nested_call",  "notes",    "cancel",    "woken"};
        one_of(member, in, names, [](auto& alternative) -> auto& { return alternative; });
    }
};

template <>
struct stored_members<input::declarations> {
    static void members(const input::declarations& in, auto& member) {
        outcome(member, in.offered, "specs", "refused");
        unless_default(member, "takes_answer_schema", in.takes_answer_schema);
    }
    static void members(input::declarations& in, auto& member) {
        result<std::vector<capability_spec>> specs = std::vector<capability_spec>();
        outcome(member, specs, "specs", "refused");
        unless_default(member, "takes_answer_schema", in.takes_answer_schema);
        in.offered = specs ? declare(*specs) : std::move(specs.error());
    }
};

/// Without `checks`, which are valid in one process only: the loop validates the arguments again.
template <>
struct stored_members<candidate> {
    static void members(auto& value, auto& member) {
        member("content", value.content);
        member("finish", value.finish);
        member("finish_text", value.finish_text);
        member("finish_message", value.finish_message);
    }
};

template <>
struct stored_members<input::model_result> {
    static void members(auto& in, auto& member) {
        member("attempt", in.attempt);
        outcome(member, in.outcome, "response", "failure");
    }
};

/// Up to format 2, `ask` was named `pending`.
[[nodiscard]] inline std::optional<call_decision::kind> decision_named(std::string_view word) noexcept {
    using kind = call_decision::kind;
    for (const kind known : {kind::abstain, kind::allow, kind::change, kind::ask, kind::deny}) {
        if (word == to_string(known) || (known == kind::ask && word == "pending")) {
            return known;
        }
    }
    return std::nullopt;
}

template <>
struct stored_members<call_decision> {
    static void members(auto& decision, auto& member) {
        converted(
            member, "what", [&] { return std::string(to_string(decision.what)); },
            [&](const auto& word) {
                if (const auto known = decision_named(word)) {
                    decision.what = *known;
                } else {
                    member.refuse({"/what", "enum", "is not a known decision"});
                }
            });
        member("arguments", decision.arguments);
        member("reason", decision.reason);
    }
};

/// The members of the decision are stored beside `call`, not in an object of their own.
template <>
struct stored_members<call_ruling> {
    static void members(auto& ruling, auto& member) {
        member("call", ruling.call);
        stored_form::members(ruling.decision, member);
    }
};

template <>
struct stored_members<input::opinions> {
    static void members(auto& in, auto& member) {
        unless_default(member, "nested", in.nested);
        member("all", in.all);
    }
};

template <>
struct stored_members<input::opinions::opinion> {
    static void members(auto& opinion, auto& member) {
        member("call", opinion.call);
        stored_form::members(opinion.decision, member);
        member("grants", opinion.grants);
    }
};

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI
