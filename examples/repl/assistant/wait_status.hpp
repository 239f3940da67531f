#pragma once
#include <pyaichat/message/event.hpp>

#include <chrono>
#include <string>

namespace repl {

namespace ai = pyaichat;

/// The line that a person sees while a question waits: "asking gemini-3.8-flash · step 2 of 6 · 1.4 s". Has no clock of its own.
class wait_status {
public:
    using time_point = std::chrono::steady_clock::time_point;

    wait_status(std::string who, int max_steps, time_point started)
        : who_(std::move(who)), max_steps_(max_steps), started_(started), quiet_since_(started) {}

    /// Takes note of an event that was shown at `now`.
    void see(const ai::event& happened, time_point now);

    /// The line, or empty while output has been shown a moment ago. It changes five times a second.
    [[nodiscard]] std::string line(time_point now) const;

private:
    std::string who_;
    int max_steps_;
    time_point started_;
    time_point quiet_since_;
    int step_ = 0;
    std::string call_;  // the call that runs
};

}  // namespace repl
