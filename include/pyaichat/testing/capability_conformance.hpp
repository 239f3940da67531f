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

/// A call that a source is judged by. It is really made: choose one that may be made again and again.
struct sample_call {
    std::string name = {};
    json arguments = json::object();
    reply_code wanted = reply_code::ok;
};

/// A source to be judged, and what a suite needs to know of it. `source_under_test` fills the first three.
struct source_subject {
    std::function<result<capability_list>()> specs = {};
    std::function<void(const capability_call&, capability_responder)> invoke = {};
    std::function<std::vector<call_decision>(std::span<const proposed_call>)> review = {};  ///< empty: it has none
    std::vector<sample_call> samples = {};
    std::optional<sample_call> slow = {};  ///< one that does not end before its token is tripped; nothing skips what needs it
    std::function<void()> turn = {};       ///< lets work go on that waits for the thread of the test: a `manual_executor`'s
    /// How long the suite waits for a reply. It is reached only by a source that fails.
    duration patience = std::chrono::seconds(10);
};

/// `source` outlives the subject.
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

/// Runs a source through everything that `capability_source` promises and a test can see. All on the calling thread, as a run would; it
/// blocks while it waits for replies.
[[nodiscard]] conformance_report check_source(const source_subject& subject);

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
