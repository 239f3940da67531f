#pragma once
#include <pyaichat/message/part.hpp>

#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI::detail {

/// The members of a call that its reply repeats.
struct sent_call {
    std::string id = {};
    std::string name = {};
};

/// The calls of a model message, and their replies as a service takes them.
class call_replies {
public:
    void add(sent_call call) {
        calls_.push_back(std::move(call));
        texts_.emplace_back();
    }
    void clear() { *this = {}; }
    [[nodiscard]] bool empty() const noexcept { return calls_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return calls_.size(); }
    [[nodiscard]] const sent_call& call(std::size_t index) const noexcept { return calls_[index]; }
    /// Returns the text of a reply; empty = not replied yet.
    [[nodiscard]] const std::string& text(std::size_t index) const noexcept { return texts_[index]; }
    /// Returns the number of bytes of all texts.
    [[nodiscard]] std::size_t bytes() const noexcept {
        std::size_t sum = 0;
        for (const std::string& text : texts_) {
            sum += text.size();
        }
        return sum;
    }

    /// Finds the first call without a text that `reply` belongs to: the one with the same id, or, if one of them has none, the same name.
    /// Replies with ids usually come in the order of the calls, so the search starts after the last one. Names match in call order.
    [[nodiscard]] std::optional<std::size_t> find(const response_part& reply) const {
        const std::size_t first = reply.id.empty() ? 0 : next_;
        for (std::size_t n = 0; n < calls_.size(); ++n) {
            const std::size_t i = (first + n) % calls_.size();
            const bool by_name = reply.id.empty() || calls_[i].id.empty();
            if (texts_[i].empty() && (by_name ? reply.name == calls_[i].name : reply.id == calls_[i].id)) {
                return i;
            }
        }
        return std::nullopt;
    }

    /// Sets the text of a reply, which must not be empty.
    void set(std::size_t index, std::string text) {
        texts_[index] = std::move(text);
        next_ = index + 1;
    }

private:
    std::vector<sent_call> calls_ = {};
    std::vector<std::string> texts_ = {};
    std::size_t next_ = 0;  ///< where the search for the next replied call starts
};

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
