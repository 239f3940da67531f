#pragma once
#include <pyaichat/core/task.hpp>

#include <utility>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Where an answer is owed: moved, never copied, given exactly once, from any thread. `Terms::when_dropped()` is the answer of one that
/// goes away without; `Terms::twice` is what is said to whoever answers again.
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

    void operator()(T answer) {
        PYAICHAT_ASSERT(receive_, Terms::twice);
        if (receive_) {
            std::exchange(receive_, nullptr)(std::move(answer));
        }
    }

    /// Whether the answer is still owed.
    [[nodiscard]] explicit operator bool() const noexcept { return static_cast<bool>(receive_); }

protected:
    /// Nothing is owed any more: what was to be answered is known.
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
