#pragma once
#include <pyaichat/agent/run.hpp>

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <span>

namespace pyaichat::inline PYAICHAT_ABI {

/// Pumps many runs within one budget per frame. Keep it between the frames: it begins each frame with the run at which the budget of the
/// frame before was spent, so that every run gets its turn. One thread, that of the runs.
class pump_all {
public:
    /// Pumps the runs in turns until all wait or have ended, or until `budget` of real time is spent; a callback that takes longer is not
    /// interrupted. Pass the runs in the same order in each frame. Null pointers are skipped. Returns 0, or, if the
    /// budget is spent, at most how many runs have more to do.
    std::size_t operator()(std::span<pumped_run* const> runs, duration budget) {
        const auto until = std::chrono::steady_clock::now() + budget;
        std::size_t resting = 0;
        while (resting < runs.size()) {
            const duration left = std::chrono::duration_cast<duration>(until - std::chrono::steady_clock::now());
            if (left <= duration::zero()) {
                break;
            }
            pumped_run* const next = runs[next_++ % runs.size()];
            const bool works = next != nullptr && next->pump(std::min<duration>(left, std::chrono::milliseconds(1))) == progress::working;
            resting = works ? 0 : resting + 1;
        }
        return runs.size() - resting;
    }

private:
    std::size_t next_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
