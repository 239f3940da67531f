#include "plugin_set.hpp"

namespace repl {

std::string say_problem(const ai::failure& problem) {
    return printable(problem.message) + (problem.hint.empty() ? "" : "\n  " + printable(problem.hint));
}

}  // namespace repl
