#pragma once
/// What a transport could change or leave behind in the process. Implemented by `process_state_posix.cpp` only.
#include <pyaichat/config/config.hpp>

#include <array>
#include <memory>
#include <optional>

namespace pyaichat::inline PYAICHAT_ABI::testing {

struct process_holdings {
    long threads = 0;
    long descriptors = 0;
};

/// Returns the number of threads and descriptors of this process, or nothing where the system does not tell.
[[nodiscard]] std::optional<process_holdings> count_holdings();

/// The signals that a thread blocks.
class signal_mask {
public:
    [[nodiscard]] static signal_mask of_this_thread();
    [[nodiscard]] bool operator==(const signal_mask&) const = default;

private:
    static constexpr int signals = 32;
    std::array<bool, signals> blocked_ = {};
};

/// Counts SIGPIPE while it lives, by a handler for the whole process.
class pipe_signal_counter {
public:
    pipe_signal_counter();
    pipe_signal_counter(const pipe_signal_counter&) = delete;
    pipe_signal_counter& operator=(const pipe_signal_counter&) = delete;
    ~pipe_signal_counter();

    [[nodiscard]] int count() const noexcept;
    /// Returns whether the handler of this counter is still installed and every other signal has the disposition of before.
    [[nodiscard]] bool undisturbed() const;

private:
    struct dispositions;
    std::unique_ptr<dispositions> before_;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::testing
