#pragma once
#include "assistant/assistant.hpp"
#include "assistant/question_offer.hpp"
#include "commands/prompt_control.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/entry_editor.hpp"
#include "terminal/screen.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// The prompt: passes entries to Python or to the assistant, and runs slash commands.
class console final : public entry_context, private prompt_control {
public:
    console(python_runner& python, assistant& assistant, plugin_set& plugins, screen& screen)
        : python_(python), assistant_(assistant), plugins_(plugins), screen_(screen) {}

    /// Reads entries until the end of input or `/quit`. Returns the worst status, or the status of Python's SystemExit.
    exit_status run(entry_editor& editor);
    /// Whether Python raised SystemExit.
    [[nodiscard]] bool left_by_exit() const noexcept { return left_by_exit_; }

    [[nodiscard]] std::string prompt() const override;
    [[nodiscard]] std::string continuation_prompt() const override { return "... "; }
    [[nodiscard]] bool single_line() const override { return mode_ == console_mode::assistant; }
    [[nodiscard]] std::string toggle_mode() override;
    [[nodiscard]] int history() const override { return mode_ == console_mode::python ? 0 : 1; }
    [[nodiscard]] entry_state judge(std::string_view entry) const override;
    [[nodiscard]] std::vector<styled_span> highlight(std::string_view entry) const override;
    [[nodiscard]] completion_list complete(std::string_view entry, std::size_t cursor) override;
    [[nodiscard]] std::string describe(std::string_view entry, std::size_t cursor) override;

private:
    enum class next_action { go_on, leave };

    next_action handle(const std::string& text);
    next_action run_python(const std::string& text);
    next_action command(const std::string& line);

    [[nodiscard]] console_mode mode() const override { return mode_; }
    void set_mode(console_mode mode) override { mode_ = mode; }
    void ask(const std::string& question) override { note(assistant_.ask(question)); }
    void prefill(const std::string& text) override;
    [[nodiscard]] bool confirm(const std::string& question) override;
    [[nodiscard]] bool at_terminal() const override;
    void add_history(console_mode mode, const std::string& entry) override;
    void leave() override { leaving_ = true; }

    void note(exit_status status) { status_ = worse(status_, status); }

    python_runner& python_;
    assistant& assistant_;
    plugin_set& plugins_;
    screen& screen_;
    console_mode mode_ = console_mode::python;
    entry_editor* editor_ = nullptr;  // while `run` runs
    question_offer offer_;
    bool leaving_ = false;
    exit_status status_ = exit_status::complete;
    bool left_by_exit_ = false;
};

}  // namespace repl
