#pragma once
#include <pyaichat/python/session.hpp>

#include "commands/prompt_shortcuts.hpp"

#include <string>

namespace repl {

/// The type, the signature and the documentation of an object, or its source, from the session's capabilities: no user code runs. A
/// failure is a sentence.
[[nodiscard]] std::string object_help(ai::python::session& session, const help_request& request, bool styled);

}  // namespace repl
