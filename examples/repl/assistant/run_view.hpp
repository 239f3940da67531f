#pragma once
#include <pyaichat/agent/answer.hpp>

#include "terminal/screen.hpp"

#include <string>

namespace repl {

namespace ai = pyaichat;

/// Shows a run while it goes on, and keeps what it has shown of the last step, so that the answer is not printed twice.
class run_view {
public:
    explicit run_view(screen& screen) : screen_(screen) {}

    void show(const ai::event& happened);
    /// Shows of the answer what was not seen yet.
    void finish(const ai::answer& reply);

private:
    screen& screen_;
    std::string shown_;       // in this step
    std::string commentary_;  // in the last step before it that said anything
};

}  // namespace repl
