#pragma once
#include <pyaichat/message/message.hpp>

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// A list of immutable messages, oldest first. Copying takes constant time, and so does the next `push_back` on the copy or
/// the original: copies are independent but share the messages. Not thread-safe; copies may be used on different threads.
class conversation {
public:
    class const_iterator {
    public:
        using iterator_category = std::forward_iterator_tag;
        using value_type = message;
        using difference_type = std::ptrdiff_t;
        using pointer = const message*;
        using reference = const message&;

        const_iterator() = default;
        reference operator*() const { return **at_; }
        pointer operator->() const { return at_->get(); }
        const_iterator& operator++() {
            ++at_;
            return *this;
        }
        const_iterator operator++(int) {
            const_iterator before = *this;
            ++at_;
            return before;
        }
        friend bool operator==(const_iterator, const_iterator) = default;

    private:
        friend class conversation;
        explicit const_iterator(const std::shared_ptr<const message>* at) : at_(at) {}
        const std::shared_ptr<const message>* at_ = nullptr;
    };

    conversation() = default;
    conversation(std::initializer_list<message> messages);

    /// Appends a message.
    void push_back(message value) { push_back(std::make_shared<const message>(std::move(value))); }
    /// Appends a message that is shared with another conversation, see `share`. Must not be null.
    void push_back(std::shared_ptr<const message> value);

    /// Replaces the last message. Existing copies keep the old message. Takes linear time. The conversation must not be empty.
    void replace_back(message value);

    /// Removes the last message. Existing copies keep it. The conversation must not be empty.
    void pop_back() {
        PYAICHAT_ASSERT(!empty(), "pop_back on an empty conversation");
        --size_;
    }

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const message& operator[](std::size_t index) const { return *share(index); }
    [[nodiscard]] const message& back() const {
        PYAICHAT_ASSERT(!empty(), "back on an empty conversation");
        return *share(size_ - 1);
    }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(slots()); }
    [[nodiscard]] const_iterator end() const noexcept { return const_iterator(slots() + size_); }

    /// Returns the pointer to a message that all copies share. While it is kept, its address identifies the message, as a key of a cache.
    [[nodiscard]] const std::shared_ptr<const message>& share(std::size_t index) const {
        PYAICHAT_ASSERT(index < size_, "no such message");
        return slots()[index];
    }

    /// Returns the number of leading messages that both conversations share (by address, not by content). Takes constant time if one is an
    /// unchanged or extended copy of the other, else linear time.
    [[nodiscard]] std::size_t shared_prefix(const conversation& other) const noexcept;

private:
    /// Slots that never move. Each slot is written once, by the conversation that takes it. A copy on another thread reads only the slots
    /// below its own size. (With a vector of pointers per copy, a run of six steps after 200 messages takes a third more instructions.)
    struct store {
        explicit store(std::size_t capacity) : slots(capacity) {}
        std::vector<std::shared_ptr<const message>> slots;
        std::atomic<std::size_t> used = 0;
    };
    [[nodiscard]] const std::shared_ptr<const message>* slots() const noexcept { return store_ ? store_->slots.data() : nullptr; }

    std::shared_ptr<store> store_;
    std::size_t size_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
