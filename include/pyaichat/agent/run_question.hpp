#pragma once
#include <pyaichat/agent/basic_agent.hpp>

namespace pyaichat::inline PYAICHAT_ABI {

/// Asks one question and waits for the answer. Takes the policies by value (or `borrow(x)`). Capabilities run on the calling thread. Blocks
/// for `bounds.total_timeout` at most, plus the time of a capability that does not return, plus 100 ms for threads to end.
template <class Provider, class Capabilities>
[[nodiscard]] answer run_question(Provider provider, Capabilities capabilities, std::string question, limits bounds = {},
                                  std::string instructions = {}) {
    basic_agent<Provider, Capabilities> asked(std::move(provider), std::move(capabilities),
                                              agent_options{.instructions = std::move(instructions), .limits = bounds});
    return asked.ask(std::move(question)).wait();
}

}  // namespace pyaichat::inline PYAICHAT_ABI
