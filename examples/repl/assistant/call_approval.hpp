#pragma once
#include <pyaichat/message/call_decision.hpp>

#include "terminal/line_editor.hpp"
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

enum class verdict { yes, no, always };

/// What a person has answered; nothing when it is none of the three, nor their first letters.
[[nodiscard]] std::optional<verdict> read_verdict(std::string_view answer);

/// Says which calls run: those that `--allow` names, those that the person in front of the terminal allows, and no other that needs it.
class call_approval {
public:
    /// Shows the prompt and reads a line.
    using asker = std::function<entered_line(const std::string& prompt)>;

    /// `ask` is empty where nobody can be asked.
    call_approval(const std::vector<std::string>& allow, asker ask, screen& screen)
        : allowed_(allow.begin(), allow.end()), ask_(std::move(ask)), screen_(screen) {}

    /// The agent's policy: what comes from a file and does more than look, or from a server, needs to be allowed, or waits to be settled.
    /// The rest is for others to say.
    [[nodiscard]] ai::call_decision decide(const ai::proposed_call& call) const;

    /// Decides about all calls that a run waits for. Nothing when the person pressed Ctrl-C instead of answering.
    [[nodiscard]] std::optional<std::vector<ai::call_ruling>> settle(const std::vector<ai::pending_call>& waiting);

private:
    [[nodiscard]] bool is_allowed(const ai::proposed_call& call) const;
    [[nodiscard]] std::optional<verdict> ask_about(const ai::pending_call& one) const;

    std::set<std::string> allowed_;
    /// Name and origin: the word was given for the capability of one file, not for another's of that name.
    std::set<std::pair<std::string, std::string>> always_;
    asker ask_;
    screen& screen_;
};

/// The first of these names that is neither `all` nor a capability, with the nearest one there is, as a sentence; nothing when all are.
[[nodiscard]] std::optional<std::string> refuse_unknown(const std::vector<std::string>& allow,
                                                        const std::vector<std::string>& capabilities);

}  // namespace repl
