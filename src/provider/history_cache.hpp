#pragma once
#include <pyaichat/message/conversation.hpp>

#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// Caches the encoded text of the last conversations, so that a request that continues one encodes only its new messages. `Text` has
/// `size()` in bytes. Thread-safe: a text is taken out while it is used.
template <class Text>
class history_cache {
public:
    /// The text of a conversation. Keeps the messages alive, because they are compared by address.
    struct entry {
        conversation messages = {};
        Text text = {};
    };

    /// Takes the entry with the longest conversation that `messages` continues, or returns an empty entry.
    [[nodiscard]] entry take(const conversation& messages) {
        const std::lock_guard lock(mutex_);
        auto best = entries_.end();
        for (auto at = entries_.begin(); at != entries_.end(); ++at) {
            const std::size_t length = at->messages.size();
            if (length <= messages.size() && at->messages.shared_prefix(messages) == length &&
                (best == entries_.end() || length > best->messages.size())) {
                best = at;
            }
        }
        if (best == entries_.end()) {
            return {};
        }
        entry found = std::move(*best);
        entries_.erase(best);
        return found;
    }

    /// Keeps an entry, unless it is too large, in place of the one that was kept first.
    void keep(entry used) {
        if (used.text.size() > most_bytes) {
            return;
        }
        const std::lock_guard lock(mutex_);
        if (entries_.size() >= most_entries) {
            entries_.erase(entries_.begin());
        }
        entries_.push_back(std::move(used));
    }

private:
    static constexpr std::size_t most_entries = 8;
    static constexpr std::size_t most_bytes = std::size_t{8} << 20;

    std::mutex mutex_ = {};
    std::vector<entry> entries_ = {};  ///< the last one was used last
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
