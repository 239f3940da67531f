#pragma once
#include <pyaichat/agent/limits.hpp>
#include <pyaichat/core/json.hpp>
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

/// The options that all runs of an agent share.
struct agent_options {
    std::string instructions = {};  ///< the system instruction
    pyaichat::limits limits = {};
    std::optional<std::uint64_t> seed = {};  ///< for run ids and jitter; set it to make runs repeatable
    any_approval_policy approval = {};       ///< decides which calls may run; empty = by provenance and effects
    std::vector<any_run_hooks> hooks = {};   ///< called in this order
    any_journal journal = {};                ///< empty = runs are not recorded
};

/// A question with the options of its run.
struct run_request {
    std::string question = {};
    conversation history = {};                     ///< earlier messages, repaired if necessary; empty = a new conversation
    std::string context = {};                      ///< additional text for the model, placed before the question
    std::optional<std::string> instructions = {};  ///< replaces `agent_options::instructions`
    tool_mode mode = tool_mode::automatic;         ///< for each model call; `required` applies until the model has made a call
    std::vector<image> images = {};                ///< pictures that belong to the question
    /// The JSON Schema of the answer, which is then in `answer::value`; null = a text. See `basic_agent::ask_for` and `ask_json`.
    json answer_schema = {};
};

}  // namespace pyaichat::inline PYAICHAT_ABI
