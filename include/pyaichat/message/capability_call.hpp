#pragma once
#include <pyaichat/core/cancel.hpp>
#include <pyaichat/core/json.hpp>
#include <pyaichat/message/capability_responder.hpp>

#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI {

/// Makes a nested call while the outer call is running. The nested call is validated, approved, counted, journalled and shown like a call
/// of the model. If it needs the approval of a person, it is denied. At most 256 nested calls of a run may wait at a time; a further one
/// gets the reply `limit` at once. Thread-safe; the reply arrives through `responder`.
using nested_caller = std::function<void(std::string name, json arguments, capability_responder responder)>;

/// A validated and approved call, ready to run.
struct capability_call {
    std::string run_id = {};
    int step = 0;              ///< from 1
    std::uint64_t number = 0;  ///< counts the calls of the run, from 1
    std::string id = {};       ///< from the service; empty if it sent none
    /// Stays the same if the call is made again after a crash. Pass it to systems that ignore a request that they have already carried out.
    std::string idempotency_key = {};
    std::string name = {};
    json arguments = json::object();
    instant deadline = instant::max();     ///< on the run's clock
    duration time_left = duration::max();  ///< from `invoke` to the deadline, for sources that use another clock
    nested_caller others = {};             ///< empty if calls are nested too deep, or outside of a run
    cancel_token cancel = {};              ///< cancelled when the run waits for no reply of this call and those beside it
};

/// Formats a call in one line for a person: `get_type(df)`, `get_dir(expr=df, limit=5)`. Long values are cut.
[[nodiscard]] std::string describe_call(std::string_view name, const json& arguments);

}  // namespace pyaichat::inline PYAICHAT_ABI
