#include "lua/host/plugin_file.hpp"

#include "lua/manifest/plain_text.hpp"

#include <algorithm>
#include <fstream>

namespace pyaichat::inline PYAICHAT_ABI::lua::detail {

namespace fs = std::filesystem;

result<plugin_source> read_plugin_file(const std::string& path) {
    std::error_code error;
    if (!fs::is_regular_file(path, error)) {
        return failure{
            .code = errc::not_found, .message = shown_path(path) + ": there is no such file", .hint = "Check the path of the plugin."};
    }
    std::ifstream file(path, std::ios::binary);
    plugin_source source{.file = shown_path(path), .text = std::string(max_source + 1, '\0')};
    file.read(source.text.data(), static_cast<std::streamsize>(source.text.size()));
    if (file.bad() || (!file.eof() && file.fail())) {
        return failure{
            .code = errc::not_found, .message = shown_path(path) + ": the file cannot be read", .hint = "Check its permissions."};
    }
    source.text.resize(static_cast<std::size_t>(file.gcount()));
    return source;
}

result<std::vector<std::string>> plugin_files_in(const std::string& folder) {
    std::error_code error;
    std::vector<std::string> found;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
        if (at->path().extension() == ".lua") {
            found.push_back(at->path().string());
        }
    }
    if (error) {
        return failure{.code = errc::not_found,
                       .message = shown_path(folder) + ": the folder cannot be read",
                       .hint = "Check the path of the folder."};
    }
    std::sort(found.begin(), found.end());
    return found;
}

fs::file_time_type written_at(const std::string& path) {
    std::error_code error;
    const fs::file_time_type written = fs::last_write_time(path, error);
    return error ? fs::file_time_type() : written;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::lua::detail
