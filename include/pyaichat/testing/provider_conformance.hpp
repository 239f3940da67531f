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

/// The behaviour of the service (or model) behind the provider in a check. The subject sets it up, for example with an emulator.
enum class provider_situation : unsigned char {
    answers,          ///< the model answers every request with a text
    calls,            ///< the model calls a declared capability; after the reply it answers with a text
    unavailable,      ///< the service is unavailable
    hangs,            ///< the service does not respond
    hangs_past_time,  ///< the same, for a provider that enforces `request.time_left` itself
};

/// The provider under test, and the functions that control its service.
struct provider_subject {
    /// Makes a provider for a situation, once per check. Returns nothing if the situation is not supported; the check is then skipped.
    std::function<std::optional<any_provider>(provider_situation)> make = {};
    /// Returns the number of requests to the service since the last `make`. Empty if it is not known.
    std::function<std::size_t()> attempts = {};
    /// The script for the situation `calls`: the question, the declared capabilities, and the reply to the call.
    std::string question = "What is the weather in Oslo?";
    std::vector<capability_spec> capabilities = {
        {.name = "weather",
         .description = "The weather at a place.",
         .parameters = {{"type", "object"}, {"properties", {{"place", {{"type", "string"}}}}}, {"required", {"place"}}}}};
    json reply = "sunny";
    /// How long the suite waits for one attempt. Only a failing provider reaches this timeout.
    duration patience = std::chrono::seconds(10);
};

/// Tests every observable requirement of `model_provider`. Blocks; makes each attempt on its own thread. If an attempt does not return
/// within `patience`, its thread keeps running with copies of the provider and the request.
[[nodiscard]] conformance_report check_provider(const provider_subject& subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
