#pragma once
#include <pyaichat/message/capability_reply.hpp>
#include <pyaichat/message/money.hpp>
#include <pyaichat/message/part.hpp>
#include <pyaichat/message/stop_reason.hpp>
#include <pyaichat/message/usage.hpp>

#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

// The events of a run. `step` counts model calls from 1, `call` is `capability_call::number`.

struct run_started {
    std::string question = {};
};
struct step_started {
    int step = 0;
};
/// A piece of text, streamed by the model. Includes text that accompanies calls.
struct text_delta {
    int step = 0;
    std::string text = {};
};
/// A piece of a thought summary, streamed by the model.
struct thought_delta {
    int step = 0;
    std::string text = {};
};
/// Withdraws all deltas of the step so far: the attempt failed, or its response could not be used.
struct step_withdrawn {
    int step = 0;
    std::string why = {};
};
/// The beginning of the answer to a question with a schema, as far as the model has streamed it; at last the whole value. From one to the
/// next, strings get longer, and arrays and objects get more elements, unless `step_withdrawn` is between them. It need not satisfy the
/// schema.
struct partial_value {
    int step = 0;
    json value = {};
};
struct calls_proposed {
    int step = 0;
    std::vector<call_part> calls = {};
};
/// A call got a reply without being run.
struct call_denied {
    int step = 0;
    std::uint64_t call = 0;
    std::string name = {};
    json arguments = {};
    capability_reply reply = {};
};
struct call_started {
    int step = 0;
    std::uint64_t call = 0;
    std::string name = {};
    json arguments = {};
};
/// Output of a running call, from `capability_responder::output`.
struct call_output {
    int step = 0;
    std::uint64_t call = 0;
    std::string text = {};
};
struct call_finished {
    int step = 0;
    std::uint64_t call = 0;
    std::string name = {};
    json arguments = {};
    capability_reply reply = {};
    duration took = {};
};
struct retry_scheduled {
    int step = 0;
    int retry = 0;        ///< counts the retries of this model call, from 1
    duration delay = {};  ///< from this event to the retry
    std::string why = {};
};
struct usage_updated {
    token_usage usage = {};          ///< total of the run so far
    std::optional<money> cost = {};  ///< total of the run so far; empty = not known
};
struct step_finished {
    int step = 0;
};
struct run_finished {
    stop_reason reason = stop_reason::misconfigured;
};

using event_data =
    std::variant<run_started, step_started, text_delta, thought_delta, step_withdrawn, partial_value, calls_proposed, call_denied,
                 call_started, call_output, call_finished, retry_scheduled, usage_updated, step_finished, run_finished>;

/// Something that happened in a run. Events are delivered on the pumping thread, in order, numbered from 1 without gaps. After a crash,
/// the numbers of pieces of text that were not recorded are used again.
struct event {
    std::uint64_t number = 0;
    std::string run_id = {};
    instant time = {};  ///< on the clock of the run
    event_data data = {};

    /// Returns the data if the event is a `T`, such as `text_delta`, else null.
    template <class T>
    [[nodiscard]] const T* as() const noexcept {
        return std::get_if<T>(&data);
    }
};

/// Returns the name of the type of `data`, such as "call_started".
[[nodiscard]] std::string_view event_name(const event& value) noexcept;

}  // namespace pyaichat::inline PYAICHAT_ABI
