#pragma once
#include "editor/editor_core.hpp"
#include "editor/key_source.hpp"
#include "editor/painter.hpp"
#include "editor/raw_terminal.hpp"
#include "terminal/screen.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace repl {

/// One prompt at the terminal: from its first frame to the end of the entry. Lends what it is given.
class prompt_session {
public:
    prompt_session(entry_context& context, std::vector<entry_history>& histories, key_source& keys, screen& screen, bool color);
    prompt_session(const prompt_session&) = delete;
    prompt_session& operator=(const prompt_session&) = delete;
    ~prompt_session();

    [[nodiscard]] entry run(std::string text);

private:
    [[nodiscard]] editor_request press();
    void show_frame();
    void show_output();
    /// Reacts to signals. Returns whether Ctrl-C was among them.
    [[nodiscard]] bool take_signals();
    void suspend();
    void open_editor();
    entry finish(entry::kind what, std::string_view mark);

    entry_context& context_;
    std::vector<entry_history>& histories_;
    key_source& keys_;
    screen& screen_;
    bool color_;
    raw_terminal raw_;
    int output_descriptor_;
    std::size_t width_ = 80;
    std::size_t height_ = 24;
    painter painter_;
    editor_core core_;
    std::string open_output_;  // the unfinished last line of other output, above the prompt
};

}  // namespace repl
