#pragma once
#include <pyaichat/config/config.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::process {

/// Owns a descriptor of the operating system, and closes it. -1 is none.
class descriptor {
public:
    descriptor() = default;
    explicit descriptor(int number) noexcept : number_(number) {}
    descriptor(descriptor&& other) noexcept : number_(std::exchange(other.number_, -1)) {}
    descriptor& operator=(descriptor&& other) noexcept {
        close();
        number_ = std::exchange(other.number_, -1);
        return *this;
    }
    ~descriptor() { close(); }

    void close() noexcept;
    [[nodiscard]] int number() const noexcept { return number_; }
    [[nodiscard]] explicit operator bool() const noexcept { return number_ >= 0; }

private:
    int number_ = -1;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::process
