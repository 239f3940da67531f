#pragma once
#include "core/fingerprint.hpp"
#include "message/stored_form.hpp"

#include <pyaichat/agent/run_machine.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Earlier formats do not have `max_recoveries` and `parallel_reads`.
template <>
struct stored_members<limits> {
    static void members(auto& value, auto& member) {
        for_each_field(value, [&](std::string_view name, auto& field, auto&&...) {
            if (name == "max_recoveries" || name == "parallel_reads") {
                unless_default(member, name, field);
            } else {
                member(name, field);
            }
        });
    }
};

/// The members of the setup that a snapshot contains.
void setup_members(auto& setup, auto& member) {
    member("run_id", setup.run_id);
    member("instructions", setup.instructions);
    member("question", setup.question);
    member("limits", setup.limits);
    converted(
        member, "mode", [&] { return std::optional(setup.mode); }, [&](auto mode) { setup.mode = mode.value_or(tool_mode::automatic); });
    converted(
        member, "seed", [&] { return hexadecimal(setup.seed); },
        [&](const auto& digits) {
            if (!read_hexadecimal(digits, setup.seed)) {
                member.refuse({"/seed", "pattern", "must be a number in 16 hexadecimal digits"});
            }
        });
}

template <>
struct stored_members<run_setup> {
    static void members(auto& setup, auto& member) {
        setup_members(setup, member);
        member("history", setup.history);
        member("context", setup.context);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
