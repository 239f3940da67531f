#pragma once
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/model_provider.hpp>
#include <pyaichat/policy/run_clock.hpp>
#include <pyaichat/policy/task_executor.hpp>

#include <concepts>

namespace pyaichat::inline v0 {

/// A policy that belongs to somebody else. Models whatever concept `T` models, also when `T` cannot be moved.
template <class T>
class borrowed {
public:
    // A template, so that no conversion to T is tried: one of a type-erasing T would ask whether this very class models its concept.
    template <std::same_as<T> U>
    explicit borrowed(U& target) noexcept : target_(&target) {}

    [[nodiscard]] T& get() const noexcept { return *target_; }

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) requires
        requires(T& target) {
        { target.complete(request, sink, cancel) } -> std::same_as<result<model_response>>;
    }
    { return target_->complete(request, sink, cancel); }

    [[nodiscard]] std::span<const capability_spec> specs() const requires requires(const T& target) {
        { target.specs() } -> std::same_as<std::span<const capability_spec>>;
    }
    { return std::as_const(*target_).specs(); }
    void invoke(const capability_call& call, capability_responder responder) requires requires(T& target) {
        target.invoke(call, std::move(responder));
    }
    { target_->invoke(call, std::move(responder)); }

    [[nodiscard]] instant now() const noexcept requires run_clock<T> { return std::as_const(*target_).now(); }
    static constexpr bool real_time = is_real_time<T>;

    void submit(task work) requires task_executor<T> { target_->submit(std::move(work)); }
    void submit(task work, cancel_source stop) requires requires(T& target) { target.submit(std::move(work), std::move(stop)); }
    { target_->submit(std::move(work), std::move(stop)); }

private:
    T* target_;
};

/// Lends a policy instead of giving it away. `target` outlives the agent, its runs, and the tasks of the executor; an agent with a borrowed
/// provider waits in its destructor until that provider has returned from every call.
template <class T>
[[nodiscard]] borrowed<T> borrow(T& target) noexcept {
    return borrowed<T>(target);
}

template <class T>
inline constexpr bool is_borrowed = false;
template <class T>
inline constexpr bool is_borrowed<borrowed<T>> = true;

}  // namespace pyaichat::inline v0
