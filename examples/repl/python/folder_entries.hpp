#pragma once
#include <filesystem>
#include <string>
#include <vector>

namespace repl {

struct folder_entry {
    std::string name = {};
    bool is_folder = false;
};

struct folder_listing {
    std::vector<folder_entry> entries = {};  ///< sorted by name
    bool complete = true;
};

/// The first 5,000 entries of a folder whose names begin with `prefix`. A folder that cannot be read has none.
[[nodiscard]] folder_listing list_folder(const std::filesystem::path& folder, const std::string& prefix);

}  // namespace repl
