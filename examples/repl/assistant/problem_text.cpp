#include "assistant/problem_text.hpp"

#include "terminal/screen.hpp"

namespace repl {

std::string say_problem(const pyaichat::failure& problem) {
    return printable(problem.message) + (problem.hint.empty() ? "" : "\n  " + printable(problem.hint));
}

}  // namespace repl
