#include "problem_text.hpp"

#include "screen.hpp"

namespace repl {

std::string say_problem(const pyaichat::failure& problem) {
    return printable(problem.message) + (problem.hint.empty() ? "" : "\n  " + printable(problem.hint));
}

}  // namespace repl
