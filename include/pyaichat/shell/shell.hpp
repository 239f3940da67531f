#pragma once
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/shell/shell_options.hpp>
#include <pyaichat/shell/shell_rules.hpp>

#include <memory>
#include <span>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// A capability that runs commands: `exec(command, cwd?, timeout_ms?, stdin?)`. Satisfies `reviewing_source`.
///
/// Asks about every command unless `shell_options::approval` allows it: in a program that nobody answers, commands do not run. The question
/// shows the whole command and its folder.
///
/// Each command runs on a thread of its own. Its output is shown while it runs, as events `call_output` that are safe for a terminal, and
/// the model gets it as plain text: `{"output", "exit_code" or "signal", "timed_out", "truncated", "total_bytes", "ms"}`. A command that
/// fails is a result too. Errors are `invalid_args`, `timeout`, `cancelled` (these two with the output so far in `details`), `busy`,
/// `denied` and `internal` (no process or terminal).
///
/// A command has its own session and process group, no descriptor of the host and no keyboard. At its deadline, or when the run no longer
/// waits, the group gets SIGTERM, and 200 ms later SIGKILL. The call ends at most 100 ms after its command; processes that remain in the
/// group are killed then. A process that has left the group and still holds the output is reported as `"left_running": true`.
///
/// The destructor ends the commands that run, and waits for them. For POSIX systems; elsewhere every call fails with `internal`
/// ("unsupported").
class shell {
public:
    explicit shell(shell_options options = {});
    shell(shell&&) noexcept;
    shell& operator=(shell&&) noexcept;
    ~shell();

    [[nodiscard]] result<capability_list> specs() const;
    void invoke(const capability_call& call, capability_responder responder);
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch);

private:
    struct state;
    std::unique_ptr<state> state_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
