#pragma once
#include <pyaichat/shell/shell.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// The commands that the assistant may run: whether it may at all (`--shell`), and the rules of this session.
class command_shell {
public:
    explicit command_shell(bool on) : on_(on) {}
    command_shell(const command_shell&) = delete;
    command_shell& operator=(const command_shell&) = delete;

    [[nodiscard]] bool is_on() const noexcept { return on_; }
    /// The capability, which judges by the rules. The object must outlive it.
    [[nodiscard]] ai::shell source();

    /// Whether the call is one of `source`.
    [[nodiscard]] bool makes(const ai::proposed_call& call) const;
    /// The rules that would allow such calls. Empty if no rule can.
    [[nodiscard]] std::vector<std::string> rules_for(const ai::proposed_call& call) const;
    /// Whether the rules allow the call: they may have changed since it was asked about.
    [[nodiscard]] bool allows(const ai::proposed_call& call) const;
    /// Allows more, for this session.
    void allow(const std::vector<std::string>& rules);

    /// Carries out the argument of `/shell`: nothing, or `allow`, `deny` or `forget` and a rule. Returns the text for a person; fails with
    /// `invalid_argument`.
    [[nodiscard]] ai::result<std::string> change(std::string_view argument);

private:
    [[nodiscard]] std::string report() const;

    bool on_;
    ai::shell_rules rules_ = {};
};

/// The rules as a person reads them: "`git push`", "`du` and `sort`".
[[nodiscard]] std::string say_rules(const std::vector<std::string>& rules);

}  // namespace repl
