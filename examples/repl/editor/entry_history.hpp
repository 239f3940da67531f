#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace repl {

/// The entries of one mode, oldest first, and the place where a person is in them. An entry may have several lines.
class entry_history {
public:
    static constexpr std::size_t most_entries = 5000;

    explicit entry_history(std::vector<std::string> entries = {}) : entries_(std::move(entries)) {}

    /// Adds an entry, unless it equals the last one. Returns whether it was added.
    bool add(std::string_view entry);
    [[nodiscard]] const std::vector<std::string>& entries() const noexcept { return entries_; }

    /// Leaves the entries: the next `older` begins at the newest.
    void leave() noexcept { at_.reset(); }
    [[nodiscard]] bool browsing() const noexcept { return at_.has_value(); }

    /// Go to another entry. `current` is the text of the editor: at the first step it is kept as the draft, and if `as_prefix`, only
    /// entries that begin with it are shown. Return the text to show; nothing if there is no other one.
    [[nodiscard]] std::optional<std::string> older(std::string_view current, bool as_prefix);
    [[nodiscard]] std::optional<std::string> newer(std::string_view current);
    [[nodiscard]] std::optional<std::string> oldest(std::string_view current);
    /// Returns the draft.
    [[nodiscard]] std::optional<std::string> draft();

    /// The index of the next entry from `from` (exclusive) to the oldest that contains `wanted`.
    [[nodiscard]] std::optional<std::size_t> find_older(std::size_t from, std::string_view wanted) const;
    [[nodiscard]] std::optional<std::size_t> find_newer(std::size_t from, std::string_view wanted) const;

    /// The rest of the newest entry that begins with `text` and is longer; empty if there is none.
    [[nodiscard]] std::string_view suggestion(std::string_view text) const;

private:
    void begin(std::string_view current, bool as_prefix);
    [[nodiscard]] std::string_view shown() const;

    std::vector<std::string> entries_;
    std::optional<std::size_t> at_;  // while browsing
    std::string draft_;
    std::string prefix_;
};

}  // namespace repl
