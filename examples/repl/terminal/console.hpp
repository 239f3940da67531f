#pragma once
#include "assistant/assistant.hpp"
#include "plugins/plugin_set.hpp"
#include "python/python_runner.hpp"
#include "terminal/entry_editor.hpp"
#include "terminal/screen.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace repl {

enum class console_mode { python, assistant };

/// The prompt: passes entries to Python or to the assistant, and runs slash commands.
class console final : public entry_context {
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
    void toggle_mode() override;
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
    [[nodiscard]] static completion_list complete_command(std::string_view entry, std::size_t cursor);
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
    exit_status status_ = exit_status::complete;
    bool left_by_exit_ = false;
};

}  // namespace repl
