#pragma once
#include <pyaichat/message/capability_call.hpp>
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include "shell/exec/exec_arguments.hpp"

#include <chrono>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// What all calls of a source have in common. Does not change.
struct exec_setup {
    shell_options options = {};
    std::string folder = {};  ///< absolute
    std::vector<std::string> environment = {};
};

struct exec_call {
    exec_arguments arguments = {};
    std::chrono::steady_clock::time_point deadline = {};
    duration time = {};  ///< from the begin to the deadline, for messages
    cancel_token cancel = {};
};

/// Runs a command, and shows its output through the responder. Blocks until the command has ended.
[[nodiscard]] capability_reply run_command(const exec_setup& setup, const exec_call& call, const capability_responder& responder);

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
