#pragma once
#include <pyaichat/core/cancel.hpp>

#include <concepts>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

template <class Signature>
class unique_function;

/// A move-only callable, which may own move-only values. Stands in for `std::move_only_function` of C++23.
template <class R, class... Args>
class unique_function<R(Args...)> {
public:
    unique_function() = default;
    unique_function(std::nullptr_t) {}
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, unique_function> && std::invocable<std::decay_t<F>&, Args...> &&
                 std::convertible_to<std::invoke_result_t<std::decay_t<F>&, Args...>, R>)
    unique_function(F&& callable) : self_(std::make_unique<model<std::decay_t<F>>>(std::forward<F>(callable))) {}

    [[nodiscard]] explicit operator bool() const noexcept { return self_ != nullptr; }

    R operator()(Args... args) {
        PYAICHAT_ASSERT(self_ != nullptr, "an empty function was called");
        return self_->call(std::forward<Args>(args)...);
    }

private:
    struct concept_ {
        virtual ~concept_() = default;
        virtual R call(Args&&... args) = 0;
    };
    template <class F>
    struct model final : concept_ {
        template <class G>
        explicit model(G&& callable) : callable_(std::forward<G>(callable)) {}
        R call(Args&&... args) override { return static_cast<R>(std::invoke(callable_, std::forward<Args>(args)...)); }
        F callable_;
    };

    std::unique_ptr<concept_> self_;
};

/// Work for an executor, which runs it once or destroys it without running it.
class task : public unique_function<void()> {
public:
    task() = default;
    /// `stop` cancels the running work. By default the work cannot be cancelled.
    template <class F>
        requires(!std::same_as<std::remove_cvref_t<F>, task> && std::constructible_from<unique_function<void()>, F>)
    task(F&& work, cancel_source stop = cancel_source(std::nostopstate)) : unique_function(std::forward<F>(work)), stop_(std::move(stop)) {}

    /// Returns the source through which an executor requests that the running work ends early.
    [[nodiscard]] const cancel_source& stop() const noexcept { return stop_; }

private:
    cancel_source stop_{std::nostopstate};
};

}  // namespace pyaichat::inline PYAICHAT_ABI
