#pragma once
#include <optional>
#include <string>
#include <vector>

namespace repl {

/// The names of modules and packages in the folders that begin with `prefix`, from their files. Nothing is imported.
[[nodiscard]] std::vector<std::string> modules_in(const std::vector<std::string>& folders, const std::string& prefix);

/// The folders of the package `name`, such as `a.b`, below the folders of `sys.path`.
[[nodiscard]] std::vector<std::string> package_folders(const std::vector<std::string>& folders, const std::string& name);

/// The source of the module `name`, if it has a file of at most 1 MiB.
[[nodiscard]] std::optional<std::string> module_source(const std::vector<std::string>& folders, const std::string& name);

}  // namespace repl
