#include "terminal/terminal_question.hpp"

#include <termios.h>

#include <utility>

namespace repl {

namespace {

class question final : public line_context {
public:
    explicit question(std::string prompt) : prompt_(std::move(prompt)) {}

    [[nodiscard]] std::string prompt() const override { return prompt_; }
    [[nodiscard]] bool continuing() const override { return true; }  // TAB must not switch the mode
    [[nodiscard]] bool single_line() const override { return true; }
    void toggle_mode() override {}
    [[nodiscard]] int history() const override { return 0; }
    [[nodiscard]] std::vector<std::string> complete(const std::string&) override { return {}; }

private:
    std::string prompt_;
};

}  // namespace

entered_line ask_at_terminal(const std::string& prompt) {
    question context(prompt);
    ::tcflush(0, TCIFLUSH);
    return make_plain_editor(true)->read(context);
}

}  // namespace repl
