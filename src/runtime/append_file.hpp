#pragma once
#include <pyaichat/core/result.hpp>

#include "runtime/process_id.hpp"

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// An append-only file, locked against other processes. Not thread-safe. A forked child, which shares the lock, cannot write it.
class append_file {
public:
    /// Opens the file, or creates it with access for its owner only.
    [[nodiscard]] static result<append_file> open(const std::string& path);

    append_file(append_file&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)),
          size_(other.size_),
          broken_(other.broken_),
          process_(other.process_),
          path_(std::move(other.path_)),
          place_(std::move(other.place_)) {}
    append_file& operator=(append_file&&) = delete;
    ~append_file();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] result<std::string> read() const;

    /// Truncates the file to `size` bytes.
    [[nodiscard]] result<void> cut(std::size_t size);

    /// Returns when the text is on the disk. If the write fails, the file is truncated to its old size.
    [[nodiscard]] result<void> append(std::string_view text);

    /// Replaces the file by one with this text. After a failure or a crash, the file is the old one or the new one.
    [[nodiscard]] result<void> replace(std::string_view text);

private:
    append_file(int descriptor, std::string path) noexcept : descriptor_(descriptor), path_(std::move(path)) {}
    [[nodiscard]] result<void> check_process() const;
    [[nodiscard]] failure problem(int error, const char* what) const;

    int descriptor_ = -1;
    std::size_t size_ = 0;
    bool broken_ = false;  ///< the contents on the disk are unknown
    long process_ = process_id();
    std::string path_;
    std::string place_ = {};  ///< absolute and without links: where `replace` puts the new file
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
