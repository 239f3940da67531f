#pragma once
#include <pyaichat/core/failure.hpp>

#include <string>

namespace repl {

/// A failure for a person, in one or two lines: what is wrong, and what to do about it.
[[nodiscard]] std::string say_problem(const pyaichat::failure& problem);

}  // namespace repl
