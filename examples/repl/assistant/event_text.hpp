#pragma once
#include <pyaichat/message/event.hpp>

#include <string>
#include <string_view>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// A call in one line: "· get_repr(df)".
[[nodiscard]] std::string say_call(const std::string& name, const ai::json& arguments);

/// A duration: "0.4 ms", "1.20 s".
[[nodiscard]] std::string say_time(ai::duration took);

/// The error code of a reply after a blank, " timeout", or nothing.
[[nodiscard]] std::string say_error(const ai::capability_reply& reply);

/// How a command ended, after a blank, if not by exit status 0: " exit 3", " SIGKILL".
[[nodiscard]] std::string say_end(const ai::capability_reply& reply);

/// Returns a text of which the only escape sequences are styles, without them.
[[nodiscard]] std::string without_styles(std::string_view text);

/// The reason for a retry, in words. `code` is the error code from the event.
[[nodiscard]] std::string say_retry_reason(const std::string& code);

/// The events of a run, one per line: milliseconds since the first event, name, details.
[[nodiscard]] std::string trace_of(const std::vector<ai::event>& events);

}  // namespace repl
