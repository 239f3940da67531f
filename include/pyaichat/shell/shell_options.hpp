#pragma once
#include <pyaichat/core/time.hpp>
#include <pyaichat/policy/approval_policy.hpp>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Limits that the system enforces for each process of a command. An empty one is that of the host.
struct shell_limits {
    std::optional<std::uint64_t> cpu_seconds = {};
    std::optional<std::uint64_t> address_space = {};  ///< bytes
    std::optional<std::uint64_t> file_size = {};      ///< bytes, of each file that is written
    std::optional<std::uint64_t> processes = {};      ///< of the user, not of the command; does not hold for root
    int nice = 0;                                     ///< added to the priority of the host; 19 = only when nothing else runs
};

struct shell_options {
    std::string name = "exec";  ///< of the capability
    /// The program that gets the command as its last argument. Empty = no shell: the model gives `argv`, a list of words.
    std::vector<std::string> shell = {"/bin/sh", "-c"};
    std::string folder = {};  ///< where commands start; empty = the working folder of the host when the source is made
    /// Where the argument `cwd` may lead, after symbolic links are resolved. Empty = within `folder`.
    std::vector<std::string> roots = {};
    duration timeout = std::chrono::seconds(30);  ///< of one command; the model can ask for less, and the run can have less left
    /// Decides which commands run: `shell_rules`, or any other policy. What it does not decide about, a person is asked about.
    any_approval_policy approval = {};
    /// False = no opinion about what `approval` does not decide about. The agent's own approval policy must decide about it then: without
    /// one, every command runs.
    bool ask = true;

    /// Whether the output is a terminal, so that programs print as they do for a person. False = two pipes, and the result has `stdout` and
    /// `stderr` instead of `output`.
    bool pty = true;
    unsigned short columns = 80;                        ///< of the terminal
    unsigned short rows = 24;                           ///< of the terminal
    std::size_t max_output = std::size_t{12} << 10;     ///< bytes of each output that the model gets: the begin and the end are kept
    std::map<std::string, std::string> variables = {};  ///< environment variables of the commands, in addition to the usual ones
    /// Environment variables of the host that commands get too. The usual ones are PATH, HOME, LANG, USER and TZ. Others, such as those
    /// that hold keys, are left out unless they are named here.
    std::vector<std::string> pass = {};
    shell_limits limits = {};
    int max_running = 8;  ///< commands at a time; a further call gets the reply `busy`
};

}  // namespace pyaichat::inline PYAICHAT_ABI
