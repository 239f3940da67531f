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

/// Wraps a provider. An attempt that has to fail fails with `code`.
template <model_provider P>
auto fail_after::provider(P inner, errc code) const {
    return detail::failing_provider<P>{std::move(inner), *this, code};
}
/// Wraps a source. A call that has to fail gets the reply `internal`.
template <capability_source S>
auto fail_after::source(S inner) const {
    return detail::failing_source<S>{std::move(inner), *this};
}
/// Wraps a transport. A request that has to fail fails with `connection_failed`.
template <http_transport T>
auto fail_after::transport(T inner) const {
    return detail::failing_transport<T>{std::move(inner), *this};
}
/// Wraps a journal. An append that has to fail fails with `internal`.
template <run_journal J>
auto fail_after::journal(J inner) const {
    return detail::failing_journal<J>{std::move(inner), *this};
}
/// Wraps an executor. A task that has to fail is dropped.
template <task_executor E>
auto fail_after::executor(E inner) const {
    return detail::failing_executor<E>{std::move(inner), *this};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
