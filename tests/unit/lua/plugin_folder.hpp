#pragma once
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <system_error>
#include <thread>

namespace lua_bench {

/// A folder of its own that goes away with the test.
class plugin_folder {
public:
    plugin_folder() {
        static int count = 0;
        path_ = std::filesystem::temp_directory_path() /
                ("pyaichat-lua-" + std::to_string(std::hash<std::thread::id>()(std::this_thread::get_id())) + "-" +
                 std::to_string(std::chrono::steady_clock::now().time_since_epoch().count()) + "-" + std::to_string(++count));
        std::filesystem::create_directories(path_);
    }
    plugin_folder(const plugin_folder&) = delete;
    plugin_folder& operator=(const plugin_folder&) = delete;
    ~plugin_folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    /// Writes a file, with a time of its own however fast the test is.
    void write(const std::string& name, const std::string& text) {
        const std::filesystem::path file = path_ / name;
        std::ofstream(file, std::ios::binary) << text;
        std::filesystem::last_write_time(file, std::filesystem::file_time_type() + std::chrono::hours(++writes_));
    }
    void remove(const std::string& name) { std::filesystem::remove(path_ / name); }
    [[nodiscard]] std::string path(const std::string& name = "") const { return (name.empty() ? path_ : path_ / name).string(); }

private:
    std::filesystem::path path_;
    int writes_ = 0;
};

}  // namespace lua_bench
