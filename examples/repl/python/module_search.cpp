#include "python/module_search.hpp"

#include "python/folder_entries.hpp"
#include "python/python_lexer.hpp"
#include "python/python_words.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <system_error>

namespace repl {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t max_module_folders = 100;
constexpr std::size_t max_module_source = 1U << 20;

bool is_module_name(std::string_view name) {
    return !name.empty() && (name.front() < '0' || name.front() > '9') && std::ranges::all_of(name, &is_name_byte) && !is_keyword(name);
}

/// An empty entry of `sys.path` is the working folder.
fs::path path_of(const std::string& folder) {
    return folder.empty() ? fs::path(".") : fs::path(folder);
}

bool is_file(const fs::path& path) {
    std::error_code error;
    return fs::is_regular_file(path, error);
}

/// The name of the module in this entry of a folder; empty if the entry is not a module.
std::string module_name(const fs::path& folder, const folder_entry& entry) {
    if (entry.is_folder) {
        return is_module_name(entry.name) && is_file(folder / entry.name / "__init__.py") ? entry.name : std::string();
    }
    std::string name = entry.name.substr(0, entry.name.find('.'));
    const bool has_code = entry.name.ends_with(".so") || entry.name == name + ".py";
    return has_code && is_module_name(name) && name != "__init__" ? name : std::string();
}

fs::path relative(const std::string& name) {
    std::string path = name;
    std::ranges::replace(path, '.', '/');
    return path;
}

}  // namespace

std::vector<std::string> modules_in(const std::vector<std::string>& folders, const std::string& prefix) {
    std::vector<std::string> names;
    for (std::size_t i = 0; i < std::min(folders.size(), max_module_folders); ++i) {
        const fs::path folder = path_of(folders[i]);
        for (const folder_entry& each : list_folder(folder, prefix).entries) {
            if (std::string name = module_name(folder, each); !name.empty()) {
                names.push_back(std::move(name));
            }
        }
    }
    return names;
}

std::vector<std::string> package_folders(const std::vector<std::string>& folders, const std::string& name) {
    for (std::size_t i = 0; i < std::min(folders.size(), max_module_folders); ++i) {
        const fs::path folder = path_of(folders[i]) / relative(name);
        if (is_file(folder / "__init__.py")) {
            return {folder.string()};
        }
    }
    return {};
}

std::optional<std::string> module_source(const std::vector<std::string>& folders, const std::string& name) {
    for (std::size_t i = 0; i < std::min(folders.size(), max_module_folders); ++i) {
        const fs::path base = path_of(folders[i]) / relative(name);
        for (const fs::path& path : {base / "__init__.py", fs::path(base.string() + ".py")}) {
            std::error_code error;
            if (is_file(path) && fs::file_size(path, error) <= max_module_source && !error) {
                std::ifstream file(path, std::ios::binary);
                return std::string{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
            }
        }
    }
    return std::nullopt;
}

}  // namespace repl
