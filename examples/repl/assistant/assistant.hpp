#pragma once
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/gemini/gemini.hpp>

#include "assistant/call_approval.hpp"
#include "assistant/log_file.hpp"
#include "assistant/provider_choice.hpp"
#include "options.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <string>
#include <vector>

namespace repl {

/// What an assistant works with. All of it outlives the assistant.
struct assistant_parts {
    python_runner& python;
    plugin_set& plugins;
    call_approval& approval;
    screen& out;
    log_file& log;
};

/// Asks questions about the session and shows what comes: the text as it streams, a line per call, and why an answer is degraded.
class assistant {
public:
    assistant(const options& chosen, const provider_choice& provider, const assistant_parts& parts);

    /// One question, one bounded run. Ctrl-C cancels the run and keeps the session.
    exit_status ask(const std::string& question);

    /// Asks another model from now on. Fails with `invalid_argument` when the model calls no functions, and with the offline provider,
    /// which has no models.
    [[nodiscard]] ai::result<void> use_model(const std::string& model);
    /// Who answers: the provider and its model.
    [[nodiscard]] std::string who_answers() const;

    /// Whether questions see the ones before. Switching it forgets what was said.
    void remember(bool on);
    [[nodiscard]] bool remembers() const noexcept { return remembers_; }

    /// The events of the last question, and what the next one would send: for a person, without the key.
    [[nodiscard]] std::string trace() const;
    [[nodiscard]] std::string context();

private:
    [[nodiscard]] ai::agent make_agent() const;
    [[nodiscard]] ai::answer run_to_its_end(const std::string& question, ai::on observers);
    void settle_what_waits(ai::run& run);
    [[nodiscard]] std::string without_key(std::string text) const;

    const options& options_;
    provider_choice provider_;
    python_runner& python_;
    plugin_set& plugins_;
    call_approval& approval_;
    screen& screen_;
    log_file& log_;
    ai::agent agent_;
    ai::conversation history_;
    std::vector<ai::event> last_events_;
    bool remembers_ = false;
    bool gap_said_ = false;
};

}  // namespace repl
