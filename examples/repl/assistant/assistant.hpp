#pragma once
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/gemini/gemini.hpp>
#include <pyaichat/python/attach.hpp>

#include "assistant/call_approval.hpp"
#include "assistant/log_file.hpp"
#include "assistant/provider_choice.hpp"
#include "options.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/screen.hpp"

#include <optional>
#include <string>
#include <vector>

namespace repl {

/// The objects that an assistant uses. All of them must outlive the assistant.
struct assistant_parts {
    python_runner& python;
    plugin_set& plugins;
    call_approval& approval;
    screen& out;
    log_file& log;
    std::optional<ai::python::attached_process> attached = {};  ///< if set, the questions are about it and not about the session
};

/// Asks questions about the session. Shows the text as it streams, a line per call, and the stop reason of a degraded answer.
class assistant {
public:
    assistant(const options& chosen, const provider_choice& provider, const assistant_parts& parts);

    /// Runs one question within the limits. Ctrl-C cancels the run and keeps the session.
    exit_status ask(const std::string& question);

    /// Switches to another model. Fails with `invalid_argument` if the model does not call functions, or with the offline provider.
    [[nodiscard]] ai::result<void> use_model(const std::string& model);
    /// The provider and its model, for a person.
    [[nodiscard]] std::string who_answers() const;

    /// Sets whether a question includes the earlier ones. Clears the history.
    void remember(bool on);
    [[nodiscard]] bool remembers() const noexcept { return remembers_; }

    /// The events of the last question, for a person, without the key.
    [[nodiscard]] std::string trace() const;
    /// What the next question would send, for a person, without the key.
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
    std::optional<ai::python::attached_process> attached_;
    ai::agent agent_;
    ai::conversation history_;
    std::vector<ai::event> last_events_;
    bool remembers_ = false;
    bool gap_said_ = false;
};

}  // namespace repl
