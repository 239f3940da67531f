#pragma once
#include <pyaichat/message/event.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// "Confirmed so far:" with a line for each call that gave a result. What a run that reached a limit can still say for certain. Most runs
/// reach none, so the lines are written only when they are asked for, from the run's events.
class findings {
public:
    /// The event at `index` will be a `call_finished` with a result. `headline` is the member of the result that says it in one line;
    /// empty = the whole result.
    void add(std::size_t index, std::string headline);

    /// The block of text; empty when there are no findings.
    [[nodiscard]] std::string text(std::span<const event> happened) const;

    /// As it stands in a snapshot.
    struct stored {
        std::vector<std::string> lines = {};
        std::size_t more = 0;
    };
    [[nodiscard]] stored snapshot(std::span<const event> happened) const { return {.lines = lines(happened), .more = more_}; }
    void restore(const stored& from);

private:
    struct finding {
        std::size_t index = 0;
        std::string headline = {};
    };
    [[nodiscard]] std::vector<std::string> lines(std::span<const event> happened) const;

    std::vector<std::string> restored_;
    std::vector<finding> found_;
    std::size_t more_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
