#pragma once
#include "assistant/session_file.hpp"
#include "python/python_runner.hpp"

#include <cstddef>
#include <string>
#include <vector>

namespace repl {

/// A variable that could not be saved or loaded.
struct left_out_variable {
    std::string name = {};
    std::string why = {};
};

/// The names of the variables that `/save FILE --all` tries to keep: all but modules.
[[nodiscard]] std::vector<std::string> names_to_save(ai::python::session& session);

/// Pickles variables, which runs their code. Leaves out what cannot be pickled, what refers to classes and functions of the session, and
/// what contains `key`.
[[nodiscard]] std::vector<saved_variable> pickle_variables(python_runner& python, const std::vector<std::string>& names,
                                                           const std::string& key, std::vector<left_out_variable>& left_out);

/// Binds the variables again, which runs code of the pickles. Returns how many were bound.
std::size_t unpickle_variables(python_runner& python, const std::vector<saved_variable>& variables, std::vector<left_out_variable>& failed);

}  // namespace repl
