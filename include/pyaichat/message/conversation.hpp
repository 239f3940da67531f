#pragma once
#include <pyaichat/message/message.hpp>

#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace pyaichat::inline PYAICHAT_ABI {

/// Messages, oldest first. Each message is immutable once it is in. Copies share the messages and are independent; one object belongs to
/// one thread. A copy costs the same whatever the length, and so does the next message of either: with copies of the pointers instead, a
/// question of six steps after 200 messages takes a third more instructions.
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

    void push_back(message value) { push_back(std::make_shared<const message>(std::move(value))); }
    /// Takes a message that another conversation holds, without copying it. Not null.
    void push_back(std::shared_ptr<const message> value);

    /// Puts another message in place of the last one. Copies made before keep the old one. Costs a pointer for each message.
    void replace_back(message value);

    [[nodiscard]] bool empty() const noexcept { return size_ == 0; }
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    [[nodiscard]] const message& operator[](std::size_t index) const { return *share(index); }
    [[nodiscard]] const message& back() const {
        PYAICHAT_ASSERT(!empty(), "back on an empty conversation");
        return *share(size_ - 1);
    }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(slots()); }
    [[nodiscard]] const_iterator end() const noexcept { return const_iterator(slots() + size_); }

    /// A message as the object that copies share: whoever holds it may remember by its address what was made of it.
    [[nodiscard]] const std::shared_ptr<const message>& share(std::size_t index) const {
        PYAICHAT_ASSERT(index < size_, "no such message");
        return slots()[index];
    }

    /// With how many messages both begin that are the very same objects. At once when one has gone on from a copy of the other.
    [[nodiscard]] std::size_t shared_prefix(const conversation& other) const noexcept;

private:
    /// Slots that never move. Each is written once, by the conversation that takes it; a copy on another thread looks only at those below
    /// its own size.
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
