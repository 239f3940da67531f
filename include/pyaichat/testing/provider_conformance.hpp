#pragma once
#include <pyaichat/provider/any_provider.hpp>
#include <pyaichat/testing/conformance_report.hpp>

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// What a provider meets in a check. The subject sets it up: a scripted service, an emulator, a script of its own.
enum class provider_situation : unsigned char {
    answers,          ///< the model answers with a text, as often as it is asked
    calls,            ///< the model calls one of the declared capabilities; once it has a reply, it answers with a text
    unavailable,      ///< the service cannot serve
    hangs,            ///< the service does not answer
    hangs_past_time,  ///< the same, for a provider that keeps to `request.time_left` by itself
};

/// A provider to be judged, and what a suite needs to know of it.
struct provider_subject {
    /// A provider in this situation, new for each check; nothing when that cannot be set up, which skips what needs it.
    std::function<std::optional<any_provider>(provider_situation)> make = {};
    /// How often the service was asked since the last `make`. Empty: not known.
    std::function<std::size_t()> attempts = {};
    /// What makes the model call in the situation `calls`, what it may call, and what that replies.
    std::string question = "What is the weather in Oslo?";
    std::vector<capability_spec> capabilities = {
        {.name = "weather",
         .description = "The weather at a place.",
         .parameters = {{"type", "object"}, {"properties", {{"place", {{"type", "string"}}}}}, {"required", {"place"}}}}};
    json reply = "sunny";
    /// How long the suite waits for what should not take long. It is reached only by a provider that fails.
    duration patience = std::chrono::seconds(10);
};

/// Runs a provider through everything that `model_provider` promises and a test can see. It blocks, and uses threads of its own; a provider
/// that does not return is left behind with its thread, and copies of what it was given.
[[nodiscard]] conformance_report check_provider(const provider_subject& subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
