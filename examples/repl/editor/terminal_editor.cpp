#include "editor/terminal_editor.hpp"

#include "editor/prompt_session.hpp"
#include "editor/word.hpp"
#include "terminal/history_files.hpp"

#include <pyaichat/core/text.hpp>

#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <string_view>
#include <utility>

namespace repl {

namespace {

/// Entries that end the program: nobody wants to find them with Up.
bool leaves(std::string_view entry) {
    constexpr auto leaving = std::to_array<std::string_view>({"/quit", "/exit", "exit", "exit()", "quit", "quit()"});
    return std::ranges::find(leaving, pyaichat::detail::trimmed(entry)) != leaving.end();
}

/// A question of Python's `input()`: one line without history, completion and colours.
class input_line_context final : public entry_context {
public:
    explicit input_line_context(std::string prompt) : prompt_(std::move(prompt)) {}

    [[nodiscard]] std::string prompt() const override { return prompt_; }
    [[nodiscard]] std::string continuation_prompt() const override { return {}; }
    [[nodiscard]] bool single_line() const override { return true; }
    [[nodiscard]] std::string toggle_mode() override { return {}; }
    [[nodiscard]] int history() const override { return 0; }
    [[nodiscard]] entry_state judge(std::string_view) const override { return {}; }
    [[nodiscard]] std::vector<styled_span> highlight(std::string_view) const override { return {}; }
    [[nodiscard]] completion_list complete(std::string_view, std::size_t) override { return {}; }
    [[nodiscard]] std::string describe(std::string_view, std::size_t) override { return {}; }

private:
    std::string prompt_;
};

class terminal_editor final : public entry_editor {
public:
    terminal_editor(std::vector<std::string> history_files, bool color, screen& screen)
        : files_(std::move(history_files)), color_(color), screen_(screen) {
        raw_terminal::install_handlers();
        for (const std::string& file : files_) {
            trim_history(file);
            histories_.emplace_back(read_history(file));
        }
    }

    entry read(entry_context& context) override {
        prompt_session session(context, histories_, keys_, screen_, color_);
        entry read = session.run(std::exchange(prefilled_, {}));
        if (read.what == entry::kind::text && !pyaichat::detail::is_blank(read.text) && !leaves(read.text)) {
            const auto mode = static_cast<std::size_t>(context.history());
            const std::string_view kept = without_blank_end(read.text);
            if (histories_[mode].add(kept)) {
                append_history(files_[mode], kept);
            }
        }
        return read;
    }

    entry read_input(const std::string& prompt) override {
        // What the program has printed on the line so far belongs to the prompt, as at any terminal.
        input_line_context context(screen_.take_open_line() + printable(prompt));
        std::vector<entry_history> nothing(1);
        prompt_session session(context, nothing, keys_, screen_, false);
        return session.run({});
    }

    void prefill(std::string text) override { prefilled_ = std::move(text); }

    void add_history(int history, const std::string& entry) override { histories_[static_cast<std::size_t>(history)].add(entry); }

private:
    std::vector<std::string> files_;
    bool color_;
    screen& screen_;
    std::vector<entry_history> histories_;
    key_source keys_;
    std::string prefilled_;
};

}  // namespace

std::unique_ptr<entry_editor> make_terminal_editor(std::vector<std::string> history_files, bool color, screen& screen) {
    const char* terminal = std::getenv("TERM");
    if (::isatty(0) != 1 || ::isatty(1) != 1 || terminal == nullptr || std::string_view(terminal).empty() ||
        std::string_view(terminal) == "dumb") {
        return nullptr;
    }
    return std::make_unique<terminal_editor>(std::move(history_files), color, screen);
}

}  // namespace repl
