#include "python/file_completion.hpp"

#include "python/folder_entries.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>

namespace repl {

namespace {

std::filesystem::path folder_of(std::string_view typed) {
    if (typed.starts_with("~/")) {
        const char* home = std::getenv("HOME");
        return std::filesystem::path(home != nullptr ? home : "/") / typed.substr(2);
    }
    return typed.empty() ? std::filesystem::path(".") : std::filesystem::path(typed);
}

}  // namespace

completion_list complete_file(std::string_view word, std::size_t cursor, std::string_view unusable) {
    const std::size_t slash = word.rfind('/');
    const std::string_view folder = word.substr(0, slash == std::string_view::npos ? 0 : slash + 1);
    const std::string part(word.substr(folder.size()));
    const folder_listing listing = list_folder(folder_of(folder), part);
    completion_list found{.begin = cursor - part.size(), .end = cursor, .cut = !listing.complete};
    for (const folder_entry& each : listing.entries) {
        const bool usable = std::ranges::none_of(each.name, [&](char c) {
            return static_cast<unsigned char>(c) < 0x20 || c == '\x7f' || unusable.find(c) != std::string_view::npos;
        });
        if (usable && (!each.name.starts_with('.') || part.starts_with('.'))) {
            found.items.push_back({.text = each.name + (each.is_folder ? "/" : ""), .detail = each.is_folder ? "folder" : "file"});
        }
    }
    return found;
}

}  // namespace repl
