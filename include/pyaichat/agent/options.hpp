#pragma once
#include <pyaichat/agent/limits.hpp>
#include <pyaichat/message/conversation.hpp>
#include <pyaichat/message/request.hpp>
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/run_hooks.hpp>
#include <pyaichat/policy/run_journal.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// What all runs of an agent have in common.
struct agent_options {
    std::string instructions = {};  ///< the system instruction
    pyaichat::limits limits = {};
    std::optional<std::uint64_t> seed = {};  ///< of run ids and jitter; set it for runs that repeat exactly
    any_approval_policy approval = {};       ///< says which calls may run; empty = each capability's provenance and effects decide
    std::vector<any_run_hooks> hooks = {};   ///< asked and told in this order
    any_journal journal = {};                ///< empty = nothing is kept
};

/// One question, with what is particular to it.
struct run_request {
    std::string question = {};
    conversation history = {};  ///< of an earlier answer, or from elsewhere: it is repaired where it has to be; empty = a new one
    std::string context = {};   ///< what the host knows beside the question; the model reads it before the question
    std::optional<std::string> instructions = {};  ///< instead of the agent's
    tool_mode mode = tool_mode::automatic;         ///< of each of its model calls; `required` until the model has called
};

}  // namespace pyaichat::inline PYAICHAT_ABI
