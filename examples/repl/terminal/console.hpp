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

/// The prompt: lines to Python or to the assistant, blocks, and the commands that begin with a slash.
class console final : public line_context {
public:
    console(python_runner& python, assistant& assistant, plugin_set& plugins, screen& screen)
        : python_(python), assistant_(assistant), plugins_(plugins), screen_(screen) {}

    /// Reads lines until there are no more; the worst status of what was done, or the one that Python was left with.
    exit_status run(line_editor& editor);
    /// Whether Python was left by SystemExit: then the status of `run` is the one that was asked for.
    [[nodiscard]] bool left_by_exit() const noexcept { return left_by_exit_; }

    [[nodiscard]] std::string prompt() const override;
    [[nodiscard]] bool continuing() const override { return mode_ == console_mode::python && !block_.empty(); }
    [[nodiscard]] bool single_line() const override { return mode_ == console_mode::assistant; }
    void toggle_mode() override;
    [[nodiscard]] int history() const override { return mode_ == console_mode::python ? 0 : 1; }
    [[nodiscard]] std::vector<std::string> complete(const std::string& before) override;

private:
    enum class outcome { go_on, leave };

    outcome handle(const entered_line& line);
    outcome python_line(const entered_line& line);
    /// Runs the block as far as it goes; false when it is only the beginning of something.
    bool run_block(outcome& then);
    void finish_broken_block();
    /// A line that begins with a slash.
    outcome command(const std::string& line);
    void change_mode(const std::string& wanted);
    void change_model(const std::string& wanted);
    void change_memory(const std::string& wanted);
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
