#pragma once
#include <pyaichat/policy/async_model_provider.hpp>
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/policy/task_executor.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

class fail_after;

namespace detail {
template <class T>
class failing_policy;
}

/// Whether one operation fails, or that operation and all later ones.
enum class failing : unsigned char { one, all_from_there };

/// Injects a failure into a test scenario: the first `operations` operations succeed, the next one fails. The wrappers that it makes count
/// the operations of a policy. All wrappers and copies share one count. Any thread.
///
///     fake::fail_after broken(3);
///     ai::basic_agent agent{broken.provider(ai::borrow(model)), broken.source(std::move(tools)), ...};
class fail_after {
public:
    explicit fail_after(std::size_t operations, failing which = failing::one) : state_(std::make_shared<state>(operations, which)) {}

    /// Counts one operation and returns whether it has to fail. For a host's own test doubles.
    [[nodiscard]] bool fails() const noexcept {
        const std::size_t before = state_->counted.fetch_add(1);
        const bool failing_now = state_->which == failing::one ? before == state_->operations : before >= state_->operations;
        if (failing_now) {
            state_->failed = true;
        }
        return failing_now;
    }
    /// Returns whether an operation was made to fail.
    [[nodiscard]] bool failed() const noexcept { return state_->failed; }
    /// Returns the number of operations so far, failed ones included.
    [[nodiscard]] std::size_t counted() const noexcept { return state_->counted; }

    /// Fails an attempt with `code`.
    template <any_model_provider P>
    [[nodiscard]] detail::failing_policy<P> provider(P inner, errc code = errc::connection_failed) const {
        return {std::move(inner), *this, code};
    }
    /// Answers a call with `internal`.
    template <capability_source S>
    [[nodiscard]] detail::failing_policy<S> source(S inner) const {
        return {std::move(inner), *this, errc::internal};
    }
    template <http_transport T>
    [[nodiscard]] detail::failing_policy<T> transport(T inner) const {
        return {std::move(inner), *this, errc::connection_failed};
    }
    template <run_journal J>
    [[nodiscard]] detail::failing_policy<J> journal(J inner) const {
        return {std::move(inner), *this, errc::internal};
    }
    /// Drops a task.
    template <task_executor E>
    [[nodiscard]] detail::failing_policy<E> executor(E inner) const {
        return {std::move(inner), *this, errc::internal};
    }

private:
    struct state {
        state(std::size_t first, failing mode) : operations(first), which(mode) {}
        std::size_t operations;
        failing which;
        std::atomic<std::size_t> counted = 0;
        std::atomic<bool> failed = false;
    };
    std::shared_ptr<state> state_;
};

/// Runs `scenario(fail_after(0))`, `scenario(fail_after(1))`, ... until a run has no injected failure: once with single failures, once with
/// lasting failures. The scenario does the checks. Returns the number of operations that can fail; stops after `most` runs.
template <class Scenario>
std::size_t run_with_each_failure(Scenario&& scenario, std::size_t most = 1000) {
    std::size_t longest = 0;
    for (const failing which : {failing::one, failing::all_from_there}) {
        for (std::size_t operations = 0; operations < most; ++operations) {
            const fail_after broken(operations, which);
            scenario(broken);
            if (!broken.failed()) {
                longest = operations > longest ? operations : longest;
                break;
            }
        }
    }
    return longest;
}

namespace detail {

/// A policy with the count before what can fail; everything else is passed on.
template <class T>
class failing_policy : public pyaichat::detail::policy_wrapper<T> {
public:
    failing_policy(T inner, fail_after count, errc code)
        : pyaichat::detail::policy_wrapper<T>(std::move(inner)), count_(std::move(count)), code_(code) {}

    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel)
        requires pyaichat::detail::completes<T>
    {
        return count_.fails() ? made_to_fail() : this->target().complete(request, sink, cancel);
    }
    void start(const model_request& request, const delta_sink& sink, const cancel_token& cancel, model_reply reply)
        requires pyaichat::detail::starts<T>
    {
        count_.fails() ? reply(made_to_fail()) : this->target().start(request, sink, cancel, std::move(reply));
    }
    void invoke(const capability_call& call, capability_responder responder)
        requires pyaichat::detail::invokes<T>
    {
        count_.fails() ? responder(made_to_fail()) : this->target().invoke(call, std::move(responder));
    }
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel)
        requires http_transport<T>
    {
        return count_.fails() ? made_to_fail() : this->target().send(request, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel)
        requires http_transport<T>
    {
        return count_.fails() ? made_to_fail() : this->target().stream(request, sink, cancel);
    }
    [[nodiscard]] result<void> append(const journal_record& record)
        requires run_journal<T>
    {
        return count_.fails() ? made_to_fail() : this->target().append(record);
    }
    void submit(task work)
        requires task_executor<T>
    {
        if (!count_.fails()) {
            this->target().submit(std::move(work));
        }
    }

private:
    [[nodiscard]] failure made_to_fail() const {
        return {.code = code_, .message = "made to fail", .hint = "This failure was asked for by a test."};
    }

    fail_after count_;
    errc code_;
};

}  // namespace detail

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
