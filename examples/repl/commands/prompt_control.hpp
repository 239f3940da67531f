#pragma once
#include <string>

namespace repl {

enum class console_mode { python, assistant };

/// The prompt as commands see it.
class prompt_control {
public:
    virtual ~prompt_control() = default;
    [[nodiscard]] virtual console_mode mode() const = 0;
    virtual void set_mode(console_mode mode) = 0;
    /// Asks the assistant. The status of the answer counts as if the person had typed the question.
    virtual void ask(const std::string& question) = 0;
    /// Lets the next entry begin with this text, for the person to edit. It never runs by itself. Without a terminal the text is printed.
    virtual void prefill(const std::string& text) = 0;
    /// Asks the person at the terminal. Without a terminal, or if the answer is not yes, returns false.
    [[nodiscard]] virtual bool confirm(const std::string& question) = 0;
    [[nodiscard]] virtual bool at_terminal() const = 0;
    /// Adds an entry of an earlier session to the history of a mode, where Up finds it.
    virtual void add_history(console_mode mode, const std::string& entry) = 0;
    virtual void leave() = 0;
};

}  // namespace repl
