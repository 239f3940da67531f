#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace repl {

/// The virtual environment whose packages Python imports.
struct python_environment {
    std::string folder = {};   ///< absolute; empty if there is none, or if it cannot be used
    std::string problem = {};  ///< why an environment cannot be used, and what to do; empty if there is no problem
};

/// Finds the virtual environment: the folder that `VIRTUAL_ENV` names, else `.venv` in the working folder. It must be of the same minor
/// version of Python as `version` ("3.11.2").
[[nodiscard]] python_environment find_environment(const std::optional<std::string>& virtual_env,
                                                  const std::filesystem::path& working_folder, std::string_view version);

}  // namespace repl
