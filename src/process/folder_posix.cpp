#include "process/folder.hpp"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <climits>
#include <cstdlib>
#include <cstring>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI::process {

namespace {

#ifdef O_PATH
constexpr int access_mode = O_PATH;  // a folder that may be entered need not be readable
#else
constexpr int access_mode = O_RDONLY;
#endif

/// The path of the folder that is open, which may no longer be the one that the given path leads to.
std::string real_path(const descriptor& handle, const std::string& path) {
    char text[PATH_MAX] = {};
    const std::string link = "/proc/self/fd/" + std::to_string(handle.number());
    if (const ssize_t size = ::readlink(link.c_str(), text, sizeof text - 1); size > 0) {
        return {text, static_cast<std::size_t>(size)};
    }
    const std::unique_ptr<char, decltype(&std::free)> resolved(::realpath(path.c_str(), nullptr), &std::free);
    struct stat by_path = {};
    struct stat by_handle = {};
    const bool same = resolved && ::stat(resolved.get(), &by_path) == 0 && ::fstat(handle.number(), &by_handle) == 0 &&
                      by_path.st_dev == by_handle.st_dev && by_path.st_ino == by_handle.st_ino;
    return same ? resolved.get() : "";
}

}  // namespace

result<open_folder> open_working_folder(const std::string& path) {
    open_folder found{.handle = descriptor(::open(path.c_str(), access_mode | O_DIRECTORY | O_CLOEXEC))};
    if (!found.handle) {
        const std::string why = "the folder " + path + " cannot be used: " + std::strerror(errno);
        return failure{.code = errno == EACCES ? errc::not_allowed : errc::not_found, .message = why, .hint = why + "."};
    }
    found.path = real_path(found.handle, path);
    if (found.path.empty() || found.path.front() != '/') {
        const std::string why = "the folder " + path + " has moved";
        return failure{.code = errc::not_found, .message = why, .hint = why + "."};
    }
    return found;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::process
