#include "assistant/model_check.hpp"

#include "terminal/interrupts.hpp"

#include <chrono>
#include <future>
#include <optional>
#include <thread>
#include <utility>

namespace repl {

namespace {

using namespace std::chrono_literals;

std::string say_failure(const ai::failure& error) {
    std::string out = "The model could not be checked: " + (error.hint.empty() ? error.message : error.hint);
    return out.ends_with('.') ? out : out + ".";
}

constexpr const char* no_response = "The model was not checked: the service did not respond in time.";

/// Asks the service about the model. Returns nothing after three seconds or Ctrl-C.
template <class Provider, class Options>
auto describe_in_time(const Options& chosen) {
    using description = decltype(std::declval<Provider&>().describe_model(3s, ai::cancel_token()));
    ai::cancel_source stop;
    std::promise<description> promise;
    auto arrives = promise.get_future();
    // A detached thread, so that Ctrl-C and the timeout work even if the network library blocks.
    std::thread([promise = std::move(promise), chosen, cancel = stop.get_token()]() mutable {
        promise.set_value(Provider(chosen).describe_model(3s, cancel));
    }).detach();
    const auto until = std::chrono::steady_clock::now() + 3s;
    while (arrives.wait_for(20ms) != std::future_status::ready) {
        if (interrupts::take() || std::chrono::steady_clock::now() > until) {
            stop.request_stop();
            return std::optional<description>();
        }
    }
    return std::optional<description>(arrives.get());
}

}  // namespace

std::string refuse_model(const ai::gemini_options& chosen) {
    if (ai::gemini_model_calls_functions(chosen.model)) {
        return {};
    }
    return "The model " + chosen.model + " does not call functions, so it cannot look at the session. Set " + chosen.model_variable +
           " (in the environment or in .env), or --model, to one that does, such as " + ai::default_gemini_model + ".";
}

model_check check_model(const ai::gemini_options& chosen) {
    if (std::string why = refuse_model(chosen); !why.empty()) {
        return {.usable = false, .remark = std::move(why)};
    }
    const auto described = describe_in_time<ai::gemini>(chosen);
    if (!described) {
        return {.remark = no_response};
    }
    const auto& info = *described;
    if (!info) {
        return {.remark = say_failure(info.error())};
    }
    if (!info->calls_functions) {
        return {.usable = false,
                .remark = "The model " + info->name + " does not call functions, so it cannot look at the session. Set " +
                          chosen.model_variable + " to one that does, such as " + ai::default_gemini_model + "."};
    }
    return {.remark = info->generates ? "" : "The service says that the model " + info->name + " does not generate text."};
}

model_check check_model(const ai::openai_options& chosen) {
    const auto described = describe_in_time<ai::openai>(chosen);
    return {.remark = !described ? no_response : *described ? "" : say_failure(described->error())};
}

model_check check_model(const ai::anthropic_options& chosen) {
    const auto described = describe_in_time<ai::anthropic>(chosen);
    return {.remark = !described ? no_response : *described ? "" : say_failure(described->error())};
}

}  // namespace repl
