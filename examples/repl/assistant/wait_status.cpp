#include "assistant/wait_status.hpp"

#include "assistant/event_text.hpp"

#include <chrono>
#include <cstdio>

namespace repl {

namespace {

using namespace std::chrono_literals;

/// A short wait needs no line: it would only flicker.
constexpr ai::duration shortest_wait = 300ms;
constexpr ai::duration tick = 200ms;

}  // namespace

void wait_status::see(const ai::event& happened, time_point now) {
    quiet_since_ = now;
    if (const auto* started = happened.as<ai::step_started>()) {
        step_ = started->step;
    } else if (const auto* call = happened.as<ai::call_started>()) {
        call_ = say_call(call->name, call->arguments).substr(std::string_view("· ").size());
    } else if (happened.as<ai::call_finished>() != nullptr) {
        call_.clear();
    }
}

std::string wait_status::line(time_point now) const {
    if (now - quiet_since_ < shortest_wait) {
        return {};
    }
    char seconds[32];
    std::snprintf(seconds, sizeof seconds, "%.1f s", std::chrono::duration<double>((now - started_) / tick * tick).count());
    return (call_.empty() ? "· asking " + who_ : "· running " + call_) +
           (step_ > 0 ? " · step " + std::to_string(step_) + " of " + std::to_string(max_steps_) : "") + " · " + seconds;
}

}  // namespace repl
