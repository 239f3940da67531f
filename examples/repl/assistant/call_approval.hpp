#pragma once
#include <pyaichat/message/call_decision.hpp>

#include "shell/command_shell.hpp"
#include "terminal/entry_editor.hpp"
#include "terminal/screen.hpp"

#include <functional>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repl {

namespace ai = pyaichat;

enum class person_choice { yes, no, always };

/// Parses "yes", "no", "always" or their first letters. Returns nothing for other texts.
[[nodiscard]] std::optional<person_choice> read_choice(std::string_view answer);

/// Decides which calls may run. A call that needs approval runs if `--allow` names it or the person at the terminal allows it.
class call_approval {
public:
    /// Shows the prompt and reads a line from the person.
    using asker = std::function<entry(const std::string& prompt)>;

    /// `ask` is empty without a terminal. For commands of `shell`, "always" allows a rule, not all commands.
    call_approval(const std::vector<std::string>& allow, asker ask, screen& screen, command_shell* shell = nullptr)
        : allowed_(allow.begin(), allow.end()), ask_(std::move(ask)), screen_(screen), shell_(shell) {}

    /// The agent's approval policy. Asks for calls of servers' capabilities, and for those of files unless their effects are `read`. Has no
    /// opinion about other calls.
    [[nodiscard]] ai::call_decision decide(const ai::proposed_call& call) const;

    /// Decides about the pending calls of a run. Returns nothing if the person pressed Ctrl-C.
    [[nodiscard]] std::optional<std::vector<ai::call_ruling>> settle(const std::vector<ai::pending_call>& calls);

private:
    [[nodiscard]] bool is_allowed(const ai::proposed_call& call) const;
    [[nodiscard]] bool is_command(const ai::proposed_call& call) const { return shell_ != nullptr && shell_->makes(call); }
    [[nodiscard]] std::optional<person_choice> ask_about(const ai::pending_call& pending) const;
    void allow_always(const ai::proposed_call& call);

    std::set<std::string> allowed_;
    /// Name and origin, because the permission is for the capability of this file only.
    std::set<std::pair<std::string, std::string>> always_;
    asker ask_;
    screen& screen_;
    command_shell* shell_;
};

/// Returns an error message for the first name that is neither `all` nor a capability, or nothing.
[[nodiscard]] std::optional<std::string> refuse_unknown(const std::vector<std::string>& allow,
                                                        const std::vector<std::string>& capabilities);

}  // namespace repl
