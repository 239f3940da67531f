#pragma once
#include <pyaichat/agent/answer.hpp>

#include "assistant/call_output_view.hpp"
#include "assistant/markdown_view.hpp"
#include "assistant/wait_status.hpp"
#include "terminal/screen.hpp"

#include <string>
#include <utility>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// Shows the progress of a run: its text as Markdown, a dim line for each call with the output of the call below, and in a terminal a
/// status line while it waits. Remembers the text that it has shown, so that the answer is not printed twice.
class run_view {
public:
    /// `of_model`: the text is a model's Markdown. Otherwise only fenced code is, because `*` in a value is no mark.
    run_view(screen& screen, wait_status status, bool of_model)
        : screen_(screen),
          status_(std::move(status)),
          markdown_({.styled = screen.is_styled(), .only_code = !of_model, .columns = screen.columns()}),
          output_(screen.is_styled()) {}

    void show(const ai::event& happened);
    /// Updates the status line. Call it several times a second.
    void tick(wait_status::time_point now);
    /// Shows the part of the answer that was not shown yet.
    void finish(const ai::answer& reply);

    /// The code of the answer, in the order of the numbers that were shown.
    [[nodiscard]] const std::vector<code_block>& code_blocks() const noexcept { return markdown_.code_blocks(); }

private:
    void show_call(const std::string& line);
    void show_output(const std::string& text);
    void finish_call(const ai::call_finished& call);
    void end_text();
    void end_step();

    screen& screen_;
    wait_status status_;
    markdown_view markdown_;
    std::string shown_;       // in this step
    std::string commentary_;  // in the last earlier step with text
    int calls_in_step_ = 0;

    // The call that prints. The line of a call that ends soon stands above its output, with its time.
    call_output_view output_;
    std::string call_line_;
    std::string waiting_output_;
    wait_status::time_point call_started_ = {};
    bool output_shown_ = false;
};

}  // namespace repl
