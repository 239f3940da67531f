#pragma once
#include <pyaichat/choice/provider_choice.hpp>
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/money.hpp>
#include <pyaichat/python/session.hpp>

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The exit status of the program. The worst status of all questions counts. A script or `exit()` can leave with any other number.
enum class exit_status : int {
    complete = 0,
    error = 1,
    usage = 2,
    degraded = 3,
    interrupted = 256,  ///< Ctrl-C has ended a script: the program ends by SIGINT, as `python3` does
};

[[nodiscard]] exit_status worse(exit_status left, exit_status right) noexcept;

/// One `--exec` or `--ask` of the command line.
struct job {
    enum class kind { exec, ask, ask_lines };
    kind what = kind::exec;
    std::string text = {};
};

/// The command line.
struct options {
    std::string script = {};
    std::vector<std::string> script_arguments = {};
    std::vector<job> jobs = {};
    ai::provider_request provider = {};
    std::vector<std::string> allow = {};
    std::vector<std::string> plugins = {};  ///< files and folders
    std::optional<ai::python::eval_policy> expressions = {};
    std::optional<int> max_steps = {};
    std::optional<ai::duration> timeout = {};
    std::optional<ai::money> max_cost = {};
    std::string prices = {};  ///< the file of a price table; empty = the built-in one
    std::string log_file = {};
    std::optional<long> attach = {};  ///< the process that the questions are about, instead of the session
    bool json = false;
    bool no_color = false;
    bool shell = false;            ///< the assistant may ask to run commands
    bool private_session = false;  ///< read and write no history
    bool safe_path = false;        ///< do not import from the working folder, a virtual environment, PYTHONPATH and the user's packages
    bool help = false;
    bool version = false;
};

/// The names that `policy_named` knows, for messages.
inline constexpr const char* policy_names = "structural, snapshot, ask or unrestricted";

/// Returns the policy with this name, or nothing.
[[nodiscard]] std::optional<ai::python::eval_policy> policy_named(std::string_view name) noexcept;

/// Parses the command line. Fails with `invalid_argument`; the message is for the user.
[[nodiscard]] ai::result<options> parse_options(std::span<char* const> arguments);

}  // namespace repl
