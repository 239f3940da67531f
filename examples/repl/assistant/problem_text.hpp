#pragma once
#include <pyaichat/core/failure.hpp>

#include <string>

namespace repl {

/// A failure in one or two lines: the message and the hint.
[[nodiscard]] std::string say_problem(const pyaichat::failure& problem);

}  // namespace repl
