#pragma once
#include <pyaichat/agent/basic_agent.hpp>
#include <pyaichat/choice/provider_choice.hpp>
#include <pyaichat/provider/price_table.hpp>
#include <pyaichat/python/attach.hpp>

#include "assistant/call_approval.hpp"
#include "assistant/cost_ledger.hpp"
#include "assistant/last_entry.hpp"
#include "assistant/log_file.hpp"
#include "assistant/markdown_view.hpp"
#include "assistant/question_memory.hpp"
#include "options.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "shell/command_shell.hpp"
#include "terminal/screen.hpp"

#include <optional>
#include <string>
#include <vector>

namespace repl {

class run_view;

/// The objects that an assistant uses. All of them must outlive the assistant.
struct assistant_parts {
    python_runner& python;
    plugin_set& plugins;
    call_approval& approval;
    screen& out;
    log_file& log;
    const ai::price_table& prices;
    command_shell& shell;
    std::optional<ai::python::attached_process> attached = {};  ///< if set, the questions are about it and not about the session
};

/// Asks questions about the session. Shows the text as it streams, a line per call, and the stop reason of a degraded answer.
class assistant {
public:
    assistant(const options& chosen, const ai::provider_choice& provider, const assistant_parts& parts);

    /// Runs one question within the limits. Ctrl-C cancels the run and keeps the session.
    exit_status ask(const std::string& question);

    /// Switches to another model. Fails with `invalid_argument` if the model does not call functions, with the offline provider, or if
    /// there is a maximum cost and the model has no price.
    [[nodiscard]] ai::result<void> use_model(const std::string& model);
    /// The provider and its model, for a person.
    [[nodiscard]] std::string who_answers() const;

    /// Sets whether a question includes the earlier ones. Forgets the earlier ones.
    void remember(bool on) { memory_.set(on); }
    [[nodiscard]] question_memory& memory() noexcept { return memory_; }

    /// The last question, or empty.
    [[nodiscard]] const std::string& last_question() const noexcept { return last_.question; }
    /// The fenced code of the last answer. The numbers that the person sees count from 1.
    [[nodiscard]] const std::vector<code_block>& code_blocks() const noexcept { return code_blocks_; }
    /// The tokens, the time and the cost of all questions, for a person.
    [[nodiscard]] std::string cost() const { return costs_.report(prices_.as_of()); }
    /// What the assistant may run.
    [[nodiscard]] command_shell& shell() noexcept { return shell_; }
    /// Replaces the key by `***`.
    [[nodiscard]] std::string without_key(std::string text) const;
    /// The key, or empty. Only for what must make sure that it does not leave the program.
    [[nodiscard]] std::string key() const { return provider_.gemini ? provider_.gemini->api_key : std::string(); }

    /// The events of the last question, for a person, without the key.
    [[nodiscard]] std::string trace() const;
    /// What the next question would send, for a person, without the key.
    [[nodiscard]] std::string context();

private:
    [[nodiscard]] ai::agent make_agent() const;
    [[nodiscard]] std::string system_instruction() const;
    [[nodiscard]] ai::answer run_to_its_end(const ai::run_request& request, ai::on observers, run_view& view);
    void settle_what_waits(ai::run& run);
    void keep(const std::string& question, const ai::answer& reply, const ai::conversation& sent, ai::duration took);

    const options& options_;
    ai::provider_choice provider_;
    python_runner& python_;
    plugin_set& plugins_;
    call_approval& approval_;
    screen& screen_;
    log_file& log_;
    const ai::price_table& prices_;
    command_shell& shell_;
    std::optional<ai::python::attached_process> attached_;
    earlier_question last_;  // before `agent_`, which refers to it
    ai::agent agent_;
    question_memory memory_;
    cost_ledger costs_;
    std::vector<code_block> code_blocks_;
    std::vector<ai::event> last_events_;
    bool gap_said_ = false;
};

}  // namespace repl
