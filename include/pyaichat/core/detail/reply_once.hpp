#pragma once
#include <pyaichat/core/task.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// A move-only callback that is called exactly once, on any thread. If it is destroyed before that, it sends `Terms::when_dropped()`.
/// A second call violates the contract and asserts with the text `Terms::twice`.
template <class T, class Terms>
class reply_once {
public:
    using receiver = unique_function<void(T)>;

    reply_once() = default;
    explicit reply_once(receiver receive) : receive_(std::move(receive)) {}
    reply_once(reply_once&& other) noexcept : receive_(std::exchange(other.receive_, nullptr)) {}
    reply_once& operator=(reply_once&& other) noexcept {
        if (this != &other) {
            drop();
            receive_ = std::exchange(other.receive_, nullptr);
        }
        return *this;
    }
    ~reply_once() { drop(); }

    void operator()(T value) {
        PYAICHAT_ASSERT(receive_, Terms::twice);
        if (receive_) {
            std::exchange(receive_, nullptr)(std::move(value));
        }
    }

    /// Whether the callback has not been called yet.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(receive_); }

protected:
    /// Drops the callback without calling it.
    void release() noexcept { receive_ = nullptr; }

private:
    void drop() noexcept {
        if (receive_) {
            (*this)(Terms::when_dropped());
        }
    }

    receiver receive_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
