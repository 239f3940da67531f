#pragma once
#include <pyaichat/message/event.hpp>

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The results of the successful calls, for the answer of a run that reached a limit: "Confirmed so far:" and a line for each. Most runs
/// reach no limit, so the lines are formatted from the events on demand.
class findings {
public:
    /// Adds the `call_finished` event at `index`. `headline` names the member of the result to show; empty = the whole result.
    void add(std::size_t index, std::string headline);
    /// Returns the text, or an empty one if there are no findings.
    [[nodiscard]] std::string text(std::span<const event> happened) const;

    /// The form in a snapshot.
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
