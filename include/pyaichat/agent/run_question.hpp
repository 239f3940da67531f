#pragma once
#include <pyaichat/agent/basic_agent.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Asks one question and waits for the answer: the loop as one function. It takes its policies by value (or `borrow(x)`) and brings threads
/// of its own. Blocks at most to `bounds.total_timeout`, plus what
/// capabilities take that do not return, plus the 100 ms that threads are given to end.
template <model_provider Provider, capability_source Capabilities>
[[nodiscard]] answer run_question(Provider provider, Capabilities capabilities, std::string question, limits bounds = {},
                                  std::string instructions = {}) {
    basic_agent<Provider, Capabilities> asked(std::move(provider), std::move(capabilities),
                                              agent_options{.instructions = std::move(instructions), .limits = bounds});
    return asked.ask(std::move(question)).wait();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
