#pragma once
#include <pyaichat/policy/approval_policy.hpp>
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/policy/model_provider.hpp>
#include <pyaichat/policy/run_clock.hpp>
#include <pyaichat/policy/run_hooks.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/policy/task_executor.hpp>

#include <concepts>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {
template <class T>
concept completes = requires(T& target, const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
    { target.complete(request, sink, cancel) } -> std::same_as<result<model_response>>;
};
template <class T>
concept starts = requires(T& target, const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply) {
    target.start(request, sink, cancel, std::move(reply));
};
template <class T>
concept declares = requires(const T& target) {
    { target.specs() } -> std::same_as<std::span<const capability_spec>>;
};
template <class T>
concept invokes =
    requires(T& target, const capability_call& call, capability_responder responder) { target.invoke(call, std::move(responder)); };
template <class T>
concept decides = requires(T& target, std::span<const proposed_call> batch) {
    { target.decide(batch) } -> std::same_as<std::vector<call_decision>>;
};
template <class T>
concept appends = requires(T& target, const journal_record& record) {
    { target.append(record) } -> std::same_as<result<void>>;
};
template <class T>
concept sends = requires(T& target, const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
    { target.send(request, cancel) } -> std::same_as<result<http_response>>;
    { target.stream(request, sink, cancel) } -> std::same_as<result<http_response>>;
};
}  // namespace detail

/// A policy that belongs to somebody else. Models whatever concept `T` models, also when `T` cannot be moved.
template <class T>
class borrowed {
public:
    // A template, so that no conversion to T is tried: one of a type-erasing T would ask whether this very class models its concept.
    template <std::same_as<T> U>
    explicit borrowed(U& target) noexcept : target_(&target) {
        static_assert(detail::has_no_misfit<T>());
        static_cast<void>(detail::has_review<T>());  // a misfit does not compile
    }

    [[nodiscard]] T& get() const noexcept { return *target_; }

    // model_provider, async_model_provider
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel)
        requires detail::completes<T>
    {
        return target_->complete(request, sink, cancel);
    }
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply)
        requires detail::starts<T>
    {
        target_->start(request, sink, cancel, std::move(reply));
    }
    [[nodiscard]] bool is_async() const noexcept
        requires requires(const T& target) { target.is_async(); }
    {
        return target_->is_async();
    }

    // capability_source
    [[nodiscard]] std::span<const capability_spec> specs() const
        requires detail::declares<T>
    {
        return std::as_const(*target_).specs();
    }
    void invoke(const capability_call& call, capability_responder responder)
        requires detail::invokes<T>
    {
        target_->invoke(call, std::move(responder));
    }
    [[nodiscard]] std::vector<call_decision> review(std::span<const proposed_call> batch)
        requires detail::reviews<T>
    {
        return target_->review(batch);
    }
    [[nodiscard]] bool has_say() const
        requires detail::reviews<T>
    {
        return detail::has_say(std::as_const(*target_));
    }

    // approval_policy, run_journal, run_hooks
    [[nodiscard]] std::vector<call_decision> decide(std::span<const proposed_call> batch)
        requires detail::decides<T>
    {
        return target_->decide(batch);
    }
    [[nodiscard]] result<void> append(const journal_record& record)
        requires detail::appends<T>
    {
        return target_->append(record);
    }
    void on_question(std::string_view question)
        requires detail::hooks_on_question<T>
    {
        target_->on_question(question);
    }
    void before_model(const model_request& request)
        requires detail::hooks_before_model<T>
    {
        target_->before_model(request);
    }
    [[nodiscard]] call_decision before_call(const proposed_call& call)
        requires detail::hooks_before_call<T>
    {
        return target_->before_call(call);
    }
    void after_call(const capability_call& call, capability_reply& reply)
        requires detail::hooks_after_call<T>
    {
        target_->after_call(call, reply);
    }
    [[nodiscard]] std::string on_answer(const closing_answer& answer)
        requires detail::hooks_on_answer<T>
    {
        return target_->on_answer(answer);
    }
    void before_call(const proposed_call& call, hook_responder<call_decision> answer)
        requires detail::defers_before_call<T>
    {
        target_->before_call(call, std::move(answer));
    }
    void after_call(const capability_call& call, capability_reply reply, hook_responder<capability_reply> answer)
        requires detail::defers_after_call<T>
    {
        target_->after_call(call, std::move(reply), std::move(answer));
    }
    void on_answer(const closing_answer& made, hook_responder<std::string> answer)
        requires detail::defers_on_answer<T>
    {
        target_->on_answer(made, std::move(answer));
    }
    void on_event(const event& happened)
        requires detail::hooks_on_event<T>
    {
        target_->on_event(happened);
    }

    // http_transport
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel)
        requires detail::sends<T>
    {
        return target_->send(request, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel)
        requires detail::sends<T>
    {
        return target_->stream(request, sink, cancel);
    }

    // run_clock, task_executor
    [[nodiscard]] instant now() const noexcept
        requires run_clock<T>
    {
        return std::as_const(*target_).now();
    }
    static constexpr bool real_time = is_real_time<T>;

    void submit(task work)
        requires task_executor<T>
    {
        target_->submit(std::move(work));
    }
    void submit(task work, cancel_source stop)
        requires requires(T& target) { target.submit(std::move(work), std::move(stop)); }
    {
        target_->submit(std::move(work), std::move(stop));
    }

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

/// Whether a provider, or one inside of it, belongs to somebody else, so that an agent has to wait for it.
template <class P>
[[nodiscard]] bool is_lent(const P& provider) noexcept {
    if constexpr (requires {
                      { provider.lent() } -> std::same_as<bool>;
                  }) {
        return provider.lent();
    } else {
        return is_borrowed<P>;
    }
}

/// Whether a provider is to be asked by `start`, on the pumping thread, instead of by `complete` on the executor. One that has both says so
/// itself, by a member of this name.
template <any_model_provider P>
[[nodiscard]] bool is_async(const P& provider) noexcept {
    if constexpr (requires {
                      { provider.is_async() } -> std::same_as<bool>;
                  }) {
        return provider.is_async();
    } else {
        return !model_provider<P>;
    }
}

}  // namespace pyaichat::inline PYAICHAT_ABI
