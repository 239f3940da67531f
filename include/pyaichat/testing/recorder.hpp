#pragma once
#include <pyaichat/message/event.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Keeps the events of a run: `ai::on{[&](const ai::event& e) { record(e); }}`, or `ai::on{std::ref(record)}`. One thread.
class recorder {
public:
    void operator()(const event& value) { events_.push_back(value); }

    [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

    /// "run_started step_started text_delta ...": the order at a glance.
    [[nodiscard]] std::string names() const {
        std::string joined;
        for (const event& one : events_) {
            joined += joined.empty() ? "" : " ";
            joined += event_name(one);
        }
        return joined;
    }

    /// All events of one kind.
    template <class T>
    [[nodiscard]] std::vector<T> all() const {
        std::vector<T> found;
        for (const event& one : events_) {
            if (const T* data = one.as<T>()) {
                found.push_back(*data);
            }
        }
        return found;
    }

private:
    std::vector<event> events_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
