#pragma once
#include <pyaichat/message/event.hpp>

#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// "· get_repr(df)": a call in a line, for a person.
[[nodiscard]] std::string say_call(const std::string& name, const ai::json& arguments);

/// "0.4 ms", "1.20 s".
[[nodiscard]] std::string say_time(ai::duration took);

/// " timeout", or nothing for a reply that has a result.
[[nodiscard]] std::string say_error(const ai::capability_reply& reply);

/// Why a model call is made again, in words: the event has the code of the failure.
[[nodiscard]] std::string say_retry_reason(const std::string& code);

/// The events of a run, one line each: milliseconds since the first, name, and what is particular to it.
[[nodiscard]] std::string trace_of(const std::vector<ai::event>& events);

}  // namespace repl
