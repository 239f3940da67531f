#pragma once
#include <pyaichat/core/result.hpp>
#include <pyaichat/message/call_decision.hpp>

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// What rules say about a command line.
struct shell_judgement {
    call_decision::kind what = call_decision::kind::ask;  ///< `allow`, `ask` or `deny`
    std::string reason = {};                              ///< why it is not allowed: a clause for a person
    /// If it is asked about: the rules that would allow this line and others that begin so. Empty if no rule can allow it. If it is denied:
    /// the rule that denies it.
    std::vector<std::string> rules = {};
};

/// An approval policy for the commands of `ai::shell`: `shell_rules{.allow = {"ls", "git status"}, .deny = {"rm"}}`.
///
/// A rule is a program and the words that follow it directly: `git status` matches `git status -s`, and neither `git push` nor
/// `git -C .. status`. A command line is allowed if it consists of words, quotes and the operators `|`, `&&`, `||` and `;` only, and a rule
/// allows each of its commands. It is denied if a rule denies one of its commands. Everything else is asked about: redirections,
/// substitutions, wildcards, assignments, comments, line ends, background jobs, and what cannot be parsed.
///
/// No rule allows programs that run other programs (`env`, `xargs`, `sudo`), interpreters without a script that the rule names, or options
/// that run programs or write files (`find -exec`, `git log --output`). A denying rule matches the program under any path.
///
/// Has no opinion about calls of other capabilities. `allow` and `deny` may be changed at any time on the pumping thread.
struct shell_rules {
    std::vector<std::string> allow = {};
    std::vector<std::string> deny = {};
    std::string name = {};  ///< decides only about the capability with this name; empty = about every `ai::shell`

    /// Judges a line for `/bin/sh`.
    [[nodiscard]] shell_judgement judge(std::string_view command) const;
    /// Judges a command of which the words are known, because no shell reads it.
    [[nodiscard]] shell_judgement judge(std::span<const std::string> words) const;

    /// See `approval_policy`.
    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch) const;
};

/// Returns whether the text can be a rule: one command of plain words. Fails with `invalid_argument`; the message says why.
[[nodiscard]] result<void> check_shell_rule(std::string_view rule);

/// Returns the command of a call of `ai::shell` in one line, with control and invisible characters as escapes such as `\n` and `\u{202e}`.
/// Nothing is left out or cut.
[[nodiscard]] std::string visible_command(const json& arguments);

}  // namespace pyaichat::inline PYAICHAT_ABI
