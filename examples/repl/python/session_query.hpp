#pragma once
#include <pyaichat/python/session.hpp>

#include <optional>
#include <string>
#include <vector>

namespace repl {

namespace ai = pyaichat;

/// Calls one of the session's own capabilities for the prompt's sake, within `time`; the result, or nothing.
[[nodiscard]] std::optional<ai::json> query_session(ai::python::session& session, std::string capability, ai::json arguments,
                                                    ai::duration time);

/// What the last word before the cursor may become: names of the session, or attributes of the path before its last dot. Looked up
/// statically, by the capabilities that run no user code.
[[nodiscard]] std::vector<std::string> completions(ai::python::session& session, const std::string& before);

}  // namespace repl
