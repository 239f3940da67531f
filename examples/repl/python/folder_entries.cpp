#include "python/folder_entries.hpp"

#include <algorithm>
#include <cstddef>
#include <system_error>

namespace repl {

namespace {

constexpr std::size_t max_listed_entries = 5000;
constexpr std::size_t max_read_entries = 50'000;

}  // namespace

folder_listing list_folder(const std::filesystem::path& folder, const std::string& prefix) {
    namespace fs = std::filesystem;
    folder_listing listing;
    std::error_code error;
    fs::directory_iterator each(folder, fs::directory_options::skip_permission_denied, error);
    for (std::size_t read = 0; !error && each != fs::directory_iterator(); each.increment(error)) {
        if (++read > max_read_entries || listing.entries.size() == max_listed_entries) {
            listing.complete = false;
            break;
        }
        std::string name = each->path().filename().string();
        if (name.starts_with(prefix)) {
            std::error_code unreadable;
            const bool is_folder = each->is_directory(unreadable);
            listing.entries.push_back({.name = std::move(name), .is_folder = is_folder && !unreadable});
        }
    }
    std::ranges::sort(listing.entries, {}, &folder_entry::name);
    return listing;
}

}  // namespace repl
