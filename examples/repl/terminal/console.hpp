#pragma once
#include "assistant/assistant.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/line_editor.hpp"
#include "terminal/screen.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace repl {

enum class console_mode { python, assistant };

/// The prompt: passes lines to Python or to the assistant, collects blocks, and runs slash commands.
class console final : public line_context {
public:
    console(python_runner& python, assistant& assistant, plugin_set& plugins, screen& screen)
        : python_(python), assistant_(assistant), plugins_(plugins), screen_(screen) {}

    /// Reads lines until the end of input or `/quit`. Returns the worst status, or the status of Python's SystemExit.
    exit_status run(line_editor& editor);
    /// Whether Python raised SystemExit.
    [[nodiscard]] bool left_by_exit() const noexcept { return left_by_exit_; }

    [[nodiscard]] std::string prompt() const override;
    [[nodiscard]] bool continuing() const override { return mode_ == console_mode::python && !block_.empty(); }
    [[nodiscard]] bool single_line() const override { return mode_ == console_mode::assistant; }
    void toggle_mode() override;
    [[nodiscard]] int history() const override { return mode_ == console_mode::python ? 0 : 1; }
    [[nodiscard]] std::vector<std::string> complete(const std::string& before) override;

private:
    enum class next_action { go_on, leave };

    next_action handle(const entered_line& line);
    next_action python_line(const entered_line& line);
    /// Runs the block. Returns false if the block is incomplete.
    bool run_block(next_action& then);
    void finish_broken_block();
    next_action command(const std::string& line);
    void change_mode(const std::string& mode);
    void change_model(const std::string& model);
    void change_eval_policy(const std::string& name);
    void change_memory(const std::string& state);
    void list_variables();
    void note(exit_status status) { status_ = worse(status_, status); }

    python_runner& python_;
    assistant& assistant_;
    plugin_set& plugins_;
    screen& screen_;
    console_mode mode_ = console_mode::python;
    std::string block_;
    exit_status status_ = exit_status::complete;
    bool left_by_exit_ = false;
};

}  // namespace repl
