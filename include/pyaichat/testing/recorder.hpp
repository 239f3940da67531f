#pragma once
#include <pyaichat/message/event.hpp>

#include <string>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// An observer that stores the events of a run: `ai::on{std::ref(record)}`. Not thread-safe.
class recorder {
public:
    void operator()(const event& value) { events_.push_back(value); }

    [[nodiscard]] const std::vector<event>& events() const noexcept { return events_; }

    /// Returns the names of the events in order: "run_started step_started text_delta ...".
    [[nodiscard]] std::string names() const {
        std::string joined;
        for (const event& recorded : events_) {
            joined += joined.empty() ? "" : " ";
            joined += event_name(recorded);
        }
        return joined;
    }

    /// Returns the data of all events of type `T`, in order.
    template <class T>
    [[nodiscard]] std::vector<T> all() const {
        std::vector<T> found;
        for (const event& recorded : events_) {
            if (const T* data = recorded.as<T>()) {
                found.push_back(*data);
            }
        }
        return found;
    }

private:
    std::vector<event> events_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
