#pragma once
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/policy/http_transport.hpp>
#include <pyaichat/policy/model_provider.hpp>
#include <pyaichat/policy/run_journal.hpp>
#include <pyaichat/policy/task_executor.hpp>

#include <atomic>
#include <cstddef>
#include <memory>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// Which operations fail once the count has run out.
enum class failing : unsigned char { one, all_from_there };

/// Counts the operations of a scenario and fails the one behind the first `operations`, to show that each failure is a result and no leak
/// or crash. The doubles that it makes put the count before a policy; all of them, and copies, share it. Any thread.
///
///     fake::fail_after broken(3);
///     ai::basic_agent agent{broken.provider(ai::borrow(model)), broken.source(std::move(tools)), ...};
class fail_after {
public:
    explicit fail_after(std::size_t operations, failing which = failing::one) : state_(std::make_shared<state>(operations, which)) {}

    /// Counts one operation: whether it has to fail. For doubles of a host's own.
    [[nodiscard]] bool fails() const noexcept {
        const std::size_t before = state_->counted.fetch_add(1);
        const bool failing_now = state_->which == failing::one ? before == state_->operations : before >= state_->operations;
        if (failing_now) {
            state_->failed = true;
        }
        return failing_now;
    }
    /// Whether something was made to fail.
    [[nodiscard]] bool failed() const noexcept { return state_->failed; }
    /// Operations so far, the failed ones included.
    [[nodiscard]] std::size_t counted() const noexcept { return state_->counted; }

    template <model_provider P>
    [[nodiscard]] auto provider(P inner, errc code = errc::connection_failed) const;
    template <capability_source S>
    [[nodiscard]] auto source(S inner) const;
    template <http_transport T>
    [[nodiscard]] auto transport(T inner) const;
    template <run_journal J>
    [[nodiscard]] auto journal(J inner) const;
    template <task_executor E>
    [[nodiscard]] auto executor(E inner) const;

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

/// Runs `scenario(fail_after(0))`, `scenario(fail_after(1))`, ... until one run in which nothing was made to fail, and that for single
/// failures and for failures that last; the scenario checks what it must. Returns how many operations can fail; `most` stops a scenario
/// that does not come to an end.
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

[[nodiscard]] inline failure made_to_fail(errc code) {
    return failure{.code = code, .message = "made to fail", .hint = "This failure was asked for by a test."};
}

template <class P>
struct failing_provider {
    [[nodiscard]] result<model_response> complete(const model_request& request, const delta_sink& sink, const cancel_token& cancel) {
        return count.fails() ? made_to_fail(code) : inner.complete(request, sink, cancel);
    }
    P inner;
    fail_after count;
    errc code;
};

template <class S>
struct failing_source {
    [[nodiscard]] std::span<const capability_spec> specs() const { return inner.specs(); }
    void invoke(const capability_call& call, capability_responder responder) {
        if (count.fails()) {
            responder(made_to_fail(errc::internal));
        } else {
            inner.invoke(call, std::move(responder));
        }
    }
    S inner;
    fail_after count;
};

template <class T>
struct failing_transport {
    [[nodiscard]] result<http_response> send(const http_request& request, const cancel_token& cancel) {
        return count.fails() ? made_to_fail(errc::connection_failed) : inner.send(request, cancel);
    }
    [[nodiscard]] result<http_response> stream(const http_request& request, const http_body_sink& sink, const cancel_token& cancel) {
        return count.fails() ? made_to_fail(errc::connection_failed) : inner.stream(request, sink, cancel);
    }
    T inner;
    fail_after count;
};

template <class J>
struct failing_journal {
    [[nodiscard]] result<void> append(const journal_record& record) {
        return count.fails() ? result<void>(made_to_fail(errc::internal)) : inner.append(record);
    }
    J inner;
    fail_after count;
};

/// Drops the task.
template <class E>
struct failing_executor {
    void submit(task work) {
        if (!count.fails()) {
            inner.submit(std::move(work));
        }
    }
    E inner;
    fail_after count;
};

}  // namespace detail

/// Fails an attempt with `code`.
template <model_provider P>
auto fail_after::provider(P inner, errc code) const {
    return detail::failing_provider<P>{std::move(inner), *this, code};
}
/// Answers a call with `internal`.
template <capability_source S>
auto fail_after::source(S inner) const {
    return detail::failing_source<S>{std::move(inner), *this};
}
template <http_transport T>
auto fail_after::transport(T inner) const {
    return detail::failing_transport<T>{std::move(inner), *this};
}
template <run_journal J>
auto fail_after::journal(J inner) const {
    return detail::failing_journal<J>{std::move(inner), *this};
}
/// Drops a task.
template <task_executor E>
auto fail_after::executor(E inner) const {
    return detail::failing_executor<E>{std::move(inner), *this};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
