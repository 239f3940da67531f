#pragma once
#include <pyaichat/agent/answer.hpp>

#include "terminal/screen.hpp"

#include <string>

namespace repl {

namespace ai = pyaichat;

/// Shows the progress of a run. Remembers the text that it has shown, so that the answer is not printed twice.
class run_view {
public:
    explicit run_view(screen& screen) : screen_(screen) {}

    void show(const ai::event& happened);
    /// Shows the part of the answer that was not shown yet.
    void finish(const ai::answer& reply);

private:
    screen& screen_;
    std::string shown_;       // in this step
    std::string commentary_;  // in the last earlier step with text
};

}  // namespace repl
