#include "runtime/append_file.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <system_error>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {

errc code_of(int error) noexcept {
    switch (error) {
        case ENOENT:
        case ENOTDIR: return errc::not_found;
        case EACCES:
        case EPERM:
        case EROFS: return errc::not_allowed;
        case EISDIR: return errc::invalid_argument;
        case EWOULDBLOCK: return errc::busy;
        default: return errc::unavailable;
    }
}

std::string folder_of(const std::string& path) {
    const std::size_t slash = path.rfind('/');
    return slash == std::string::npos ? "." : slash == 0 ? "/" : path.substr(0, slash);
}

/// Without this, a file that was just created may be missing after a crash.
int sync_folder(const std::string& path) {
    const int folder = ::open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (folder < 0) {
        return errno;
    }
    const int error = ::fsync(folder) == 0 ? 0 : errno;
    ::close(folder);
    return error == EINVAL ? 0 : error;  // the file system cannot sync folders
}

}  // namespace

failure append_file::problem(int error, const char* what) const {
    return {.code = code_of(error),
            .message = "the file " + path_ + " " + what + ": " + std::generic_category().message(error),
            .hint = code_of(error) == errc::busy ? "Use another file, or end the program that has this one open."
                                                 : "Give the path of a writable file on a disk with free space."};
}

result<append_file> append_file::open(const std::string& path) {
    append_file opened(::open(path.c_str(), O_RDWR | O_APPEND | O_CREAT | O_CLOEXEC | O_NONBLOCK | O_NOCTTY, S_IRUSR | S_IWUSR), path);
    if (opened.descriptor_ < 0) {
        return opened.problem(errno, "cannot be opened");
    }
    struct stat facts = {};
    if (::fstat(opened.descriptor_, &facts) != 0) {
        return opened.problem(errno, "cannot be inspected");
    }
    if (!S_ISREG(facts.st_mode)) {
        return failure{
            .code = errc::invalid_argument, .message = path + " is not a regular file", .hint = "Give the path of a regular file."};
    }
    if (::flock(opened.descriptor_, LOCK_EX | LOCK_NB) != 0) {
        return opened.problem(errno, "cannot be locked");
    }
    struct stat named = {};
    if (::stat(path.c_str(), &named) != 0 || named.st_ino != facts.st_ino) {
        return opened.problem(EWOULDBLOCK, "was replaced meanwhile");  // by `replace`, in the journal that had it open
    }
    if (const int error = sync_folder(path); error != 0) {
        return opened.problem(error, "is in a folder that cannot be synced");
    }
    std::error_code unresolved;
    opened.place_ = std::filesystem::canonical(path, unresolved).string();
    opened.size_ = static_cast<std::size_t>(facts.st_size);
    return opened;
}

append_file::~append_file() {
    if (descriptor_ >= 0) {
        ::close(descriptor_);
    }
}

result<std::string> append_file::read() const {
    std::string text(size_, '\0');
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::pread(descriptor_, text.data() + done, text.size() - done, static_cast<off_t>(done));
        if (count < 0 && errno == EINTR) {
            continue;
        }
        if (count <= 0) {
            return problem(count < 0 ? errno : EIO, "cannot be read");
        }
        done += static_cast<std::size_t>(count);
    }
    return text;
}

result<void> append_file::cut(std::size_t size) {
    if (::ftruncate(descriptor_, static_cast<off_t>(size)) != 0 || ::fsync(descriptor_) != 0) {
        broken_ = true;
        return problem(errno, "cannot be truncated");
    }
    size_ = size;
    return {};
}

/// Fails in a child process: the file belongs to the parent.
result<void> append_file::check_process() const {
    if (process_ != process_id()) {
        return failure{.code = errc::invalid_state,
                       .message = "the file " + path_ + " was opened before the program forked, and belongs to the parent process",
                       .hint = "After a fork, open another file in the child process."};
    }
    return {};
}

result<void> append_file::append(std::string_view text) {
    if (result<void> own = check_process(); !own) {
        return own;
    }
    if (broken_) {
        return problem(EIO, "is in an unknown state after an earlier failure");
    }
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
        if (count < 0 && errno != EINTR) {
            const int error = errno;
            static_cast<void>(cut(size_));  // sets broken_ when it fails
            return problem(error, "cannot be written");
        }
        done += count > 0 ? static_cast<std::size_t>(count) : 0;
    }
    if (::fsync(descriptor_) != 0) {
        // The kernel may have dropped the pages. A second fsync would succeed without writing them.
        broken_ = true;
        return problem(errno, "cannot be synced to the disk");
    }
    size_ += text.size();
    return {};
}

result<void> append_file::replace(std::string_view text) {
    if (result<void> own = check_process(); !own) {
        return own;
    }
    const std::string beside = place_ + ".compacting";
    result<append_file> fresh = open(beside);
    if (!fresh) {
        return fresh.error();
    }
    result<void> written = fresh->cut(0);  // a program may have crashed here
    written = written ? fresh->append(text) : written;
    if (!written) {
        ::unlink(beside.c_str());
        return written;
    }
    if (::rename(beside.c_str(), place_.c_str()) != 0) {
        const int error = errno;
        ::unlink(beside.c_str());
        return problem(error, "cannot be replaced");
    }
    std::swap(descriptor_, fresh->descriptor_);
    size_ = fresh->size_;
    if (const int error = sync_folder(path_); error != 0) {
        broken_ = true;
        return problem(error, "is in a folder that cannot be synced");
    }
    broken_ = false;
    return {};
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
