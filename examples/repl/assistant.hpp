#pragma once
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/gemini/gemini.hpp>

#include "log_file.hpp"
#include "options.hpp"
#include "provider_choice.hpp"
#include "python_runner.hpp"
#include "screen.hpp"

#include <memory>
#include <string>

namespace repl {

/// Asks questions about the session and shows what comes: the text as it streams, a line per call, and why an answer is degraded.
class assistant {
public:
    assistant(const options& chosen, const provider_choice& provider, python_runner& python, screen& screen, log_file& log);

    /// One question, one bounded run. Ctrl-C cancels the run and keeps the session.
    exit_status ask(const std::string& question);

    /// Asks another model from now on. Fails with `invalid_argument` when the model calls no functions, and with the offline provider,
    /// which has no models.
    [[nodiscard]] ai::result<void> use_model(const std::string& model);
    [[nodiscard]] const std::string& provider_name() const noexcept { return provider_.name; }

    /// Whether questions see the ones before. Switching it forgets what was said.
    void remember(bool on);
    [[nodiscard]] bool remembers() const noexcept { return remembers_; }

private:
    [[nodiscard]] ai::agent make_agent() const;
    [[nodiscard]] ai::answer run_to_its_end(const std::string& question, ai::on observers);

    const options& options_;
    provider_choice provider_;
    python_runner& python_;
    screen& screen_;
    log_file& log_;
    ai::agent agent_;
    ai::conversation history_;
    bool remembers_ = false;
    bool gap_said_ = false;
};

}  // namespace repl
