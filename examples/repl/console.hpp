#pragma once
#include "assistant.hpp"
#include "line_editor.hpp"
#include "python_runner.hpp"
#include "screen.hpp"

#include <string>
#include <vector>

namespace repl {

enum class console_mode { python, assistant };

/// The prompt: lines to Python or to the assistant, blocks, and the commands that begin with a slash.
class console final : public line_context {
public:
    console(python_runner& python, assistant& assistant, screen& screen) : python_(python), assistant_(assistant), screen_(screen) {}

    /// Reads lines until the person leaves; the worst status of what was done.
    exit_status run(line_editor& editor);

    [[nodiscard]] std::string prompt() const override;
    [[nodiscard]] bool continuing() const override { return mode_ == console_mode::python && !block_.empty(); }
    void toggle_mode() override;
    [[nodiscard]] int history() const override { return mode_ == console_mode::python ? 0 : 1; }
    [[nodiscard]] std::vector<std::string> complete(const std::string& before) override;

private:
    enum class outcome { go_on, leave };

    outcome handle(const entered_line& line);
    outcome python_line(const entered_line& line);
    /// Runs the block as far as it goes; false when it is only the beginning of something.
    bool run_block(outcome& then);
    outcome command(const std::string& line);
    void list_variables();
    void note(exit_status status) { status_ = worse(status_, status); }

    python_runner& python_;
    assistant& assistant_;
    screen& screen_;
    console_mode mode_ = console_mode::python;
    std::string block_;
    exit_status status_ = exit_status::complete;
    std::optional<int> exit_code_;
};

}  // namespace repl
