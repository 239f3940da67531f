#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Makes another call on behalf of the one that is running: gated, approved, counted, journalled and shown like a model's own, and answered
/// through `responder` while the first one still waits. Any thread. One that a person would have to approve is denied. At most
/// 256 wait at a time in a run; further ones are answered `limit` at once.
using nested_caller = std::function<void(std::string name, json arguments, capability_responder responder)>;

/// One call that has passed the gate and is to be run.
struct capability_call {
    std::string run_id = {};
    int step = 0;                      ///< from 1
    std::uint64_t number = 0;          ///< of this call in its run, from 1
    std::string id = {};               ///< the service's id; empty when it sent none
    std::string idempotency_key = {};  ///< the same when a call is made again after a crash: for systems that drop a request they know
    std::string name = {};
    json arguments = json::object();
    instant deadline = instant::max();     ///< on the run's clock
    duration time_left = duration::max();  ///< until then, when it was invoked: for sources with a clock of their own
    nested_caller others = {};             ///< empty where calls are nested too deep, or where there is no run
    cancel_token cancel = {};              ///< tripped when nobody waits for the reply any more
};

/// A call for a person to read, in one line: `get_type(df)`, `get_dir(expr=df, limit=5)`.
[[nodiscard]] std::string describe_call(std::string_view name, const json& arguments);

}  // namespace pyaichat::inline PYAICHAT_ABI
