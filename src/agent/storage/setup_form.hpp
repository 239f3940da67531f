#pragma once
#include "core/fingerprint.hpp"
#include "message/stored_form.hpp"

#include <pyaichat/agent/run_machine.hpp>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Earlier formats do not have `cache_write_tokens`.
template <>
struct stored_members<token_usage> {
    static void members(auto& usage, auto& member) {
        for_each_field(usage, [&](std::string_view name, auto& field, auto&&...) {
            if (name == "cache_write_tokens") {
                unless_default(member, name, field);
            } else {
                member(name, field);
            }
        });
    }
};

/// Earlier formats do not have `max_cost`, `max_recoveries` and `parallel_reads`. The limits of images are stored only if they differ from
/// their defaults.
template <>
struct stored_members<limits> {
    static void members(auto& value, auto& member) {
        for_each_field(value, [&](std::string_view name, auto& field, auto&&...) {
            if (name == "max_cost" || name == "max_recoveries" || name == "parallel_reads") {
                unless_default(member, name, field);
            } else if (!name.starts_with("max_image")) {
                member(name, field);
            }
        });
        const auto unless_usual = [&](std::string_view name, auto& field, const auto& usual) {
            if (std::remove_cvref_t<decltype(member)>::reads ? member.has(name) : field != usual) {
                member(name, field);
            }
        };
        const limits usual;
        unless_usual("max_image_bytes", value.max_image_bytes, usual.max_image_bytes);
        unless_usual("max_images", value.max_images, usual.max_images);
        unless_usual("max_image_bytes_total", value.max_image_bytes_total, usual.max_image_bytes_total);
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
    unless_default(member, "answer_schema", setup.answer_schema);
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
        unless_default(member, "images", setup.images);
    }
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
