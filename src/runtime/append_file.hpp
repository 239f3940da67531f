#pragma once
#include <pyaichat/core/result.hpp>

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A file that grows at its end, locked against other processes. One thread at a time.
class append_file {
public:
    /// Creates it for its owner only, when there is none.
    [[nodiscard]] static result<append_file> open(const std::string& path);

    append_file(append_file&& other) noexcept
        : descriptor_(std::exchange(other.descriptor_, -1)), size_(other.size_), broken_(other.broken_), path_(std::move(other.path_)) {}
    append_file& operator=(append_file&&) = delete;
    ~append_file();

    [[nodiscard]] const std::string& path() const noexcept { return path_; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }

    [[nodiscard]] result<std::string> read() const;

    /// Drops everything behind the first `size` bytes.
    [[nodiscard]] result<void> cut(std::size_t size);

    /// On the disk when it returns. What was written of a text that did not fit is taken back.
    [[nodiscard]] result<void> append(std::string_view text);

private:
    append_file(int descriptor, std::string path) noexcept : descriptor_(descriptor), path_(std::move(path)) {}
    [[nodiscard]] failure problem(int error, const char* what) const;

    int descriptor_ = -1;
    std::size_t size_ = 0;
    bool broken_ = false;  ///< what is on the disk is not known any more
    std::string path_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
