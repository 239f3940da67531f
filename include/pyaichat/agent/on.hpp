#pragma once
#include <pyaichat/core/task.hpp>
#include <pyaichat/message/event.hpp>

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>
#include <variant>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

template <class F, class Variant>
inline constexpr bool observes_one_of = false;
template <class F, class... Data>
inline constexpr bool observes_one_of<F, std::variant<Data...>> = (std::invocable<F&, const Data&> || ...);

/// A function that takes an event (`const event&`), or the data of one or more types of events.
template <class F>
concept event_observer = std::invocable<F&, const event&> || observes_one_of<F, event_data>;

}  // namespace detail

/// The observers of a run: `ai::on{[&](const ai::text_delta& d) { ... }, [&](const ai::call_started& c) { ... }}`. Each function receives
/// the events of its parameter type, or all events if that is `const event&`. The run calls them on the pumping thread, in order. An
/// exception leaves `pump`; the observers after the one that threw miss this event, and the run can be pumped on.
class on {
public:
    on() = default;  ///< no observers

    /// Takes one or more observers by value. Compiles only if each is callable with a type of event.
    template <class... Observers>
        requires(sizeof...(Observers) > 0 && (!std::same_as<std::remove_cvref_t<Observers>, on> && ...))
    on(Observers... observers) {
        static_assert(
            (detail::event_observer<Observers> && ...),
            "each function given to pyaichat::on takes one event: const pyaichat::text_delta&, const pyaichat::call_started&, ..., or "
            "const pyaichat::event& for all of them");
        deliver_ = [... observer = std::move(observers)](const event& value) mutable { (show(observer, value), ...); };
    }

    /// Returns whether there are observers.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(deliver_); }

    /// Passes an event to the observers.
    void operator()(const event& value) {
        if (deliver_) {
            deliver_(value);
        }
    }

private:
    template <class F>
    static void show(F& observer, const event& value) {
        if constexpr (std::invocable<F&, const event&>) {
            std::invoke(observer, value);
        } else {
            std::visit(
                [&]<class Data>(const Data& data) {
                    if constexpr (std::invocable<F&, const Data&>) {
                        std::invoke(observer, data);
                    }
                },
                value.data);
        }
    }

    unique_function<void(const event&)> deliver_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
