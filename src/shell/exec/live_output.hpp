#pragma once
#include "shell/text/safe_output.hpp"

#include <array>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <string_view>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Shows the output of a running command: joined to a few pieces per second, and at a limited rate. When a program floods, most of its
/// output is counted instead of shown. Uses bounded memory.
class live_output {
public:
    using time_point = std::chrono::steady_clock::time_point;

    explicit live_output(std::function<void(std::string_view)> show, time_point now) : show_(std::move(show)), last_filled_(now) {}

    /// Takes a piece of one of the two outputs.
    void feed(std::size_t stream, std::string_view bytes, time_point now);
    /// Shows what has waited long enough. Returns when to call it next.
    [[nodiscard]] time_point tick(time_point now);
    /// Shows the rest.
    void finish(time_point now);

private:
    void limit_waiting();
    void show_waiting(time_point now);

    std::function<void(std::string_view)> show_;
    std::array<safe_output, 2> filters_ = {};
    std::string waiting_ = {};
    std::uint64_t left_out_ = 0;  // bytes since the last piece
    std::size_t room_ = burst;
    time_point last_filled_;
    time_point next_piece_ = time_point::min();
    time_point next_progress_ = time_point::max();

    static constexpr std::size_t burst = std::size_t{64} << 10;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
