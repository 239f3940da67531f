#pragma once
#include <pyaichat/agent/limits.hpp>
#include <pyaichat/message/conversation.hpp>

#include <cstdint>
#include <optional>
#include <string>

namespace pyaichat::inline v0 {

/// What all runs of an agent have in common.
struct agent_options {
    std::string instructions = {};  ///< the system instruction
    pyaichat::limits limits = {};
    std::optional<std::uint64_t> seed = {};  ///< of run ids and jitter; set it for runs that repeat exactly
};

/// One question, with what is particular to it.
struct run_request {
    std::string question = {};
    conversation history = {};  ///< of an earlier answer; empty = a new conversation
};

}  // namespace pyaichat::inline v0
