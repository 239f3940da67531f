#pragma once
#include <pyaichat/policy/capability_source.hpp>
#include <pyaichat/testing/conformance_report.hpp>

#include <chrono>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::testing {

/// A call that the suite makes to test a source, and the reply code that it expects. The capability runs for real, several times.
struct sample_call {
    std::string name = {};
    json arguments = json::object();
    reply_code wanted = reply_code::ok;
};

/// The source under test and the means to test it. `source_under_test` sets `specs`, `invoke`, `review` and `samples`.
struct source_subject {
    std::function<result<capability_list>()> specs = {};
    std::function<void(const capability_call&, capability_responder)> invoke = {};
    std::function<std::vector<call_decision>(std::span<const proposed_call>)> review = {};  ///< empty if the source has no `review`
    std::vector<sample_call> samples = {};
    std::optional<sample_call> slow = {};  ///< a call that runs until it is cancelled; without it the cancellation check is skipped
    std::function<void()> turn = {};       ///< runs work that is queued for the test's thread, as in a `manual_executor`
    /// How long the suite waits for one reply. Only a failing source reaches this timeout.
    duration patience = std::chrono::seconds(10);
};

/// Describes `source` for `check_source`. Keeps a reference: `source` must outlive the subject.
template <capability_source S>
[[nodiscard]] source_subject source_under_test(S& source, std::vector<sample_call> samples) {
    source_subject subject;
    subject.specs = [&source] { return std::as_const(source).specs(); };
    subject.invoke = [&source](const capability_call& call, capability_responder responder) { source.invoke(call, std::move(responder)); };
    if constexpr (pyaichat::detail::reviews<S>) {
        subject.review = [&source](std::span<const proposed_call> batch) { return source.review(batch); };
    }
    subject.samples = std::move(samples);
    return subject;
}

/// Tests every observable requirement of `capability_source`. Calls the source on the calling thread, as a run does, and blocks until the
/// replies arrive or `patience` has passed.
[[nodiscard]] conformance_report check_source(const source_subject& subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
