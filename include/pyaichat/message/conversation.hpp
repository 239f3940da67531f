#pragma once
#include <pyaichat/message/message.hpp>

#include <array>
#include <atomic>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

/// Where the messages of a conversation and of its copies lie. A slot never moves and is written once, before anybody is told of it: a
/// reader on another thread looks only at slots below the size that it was given.
class message_store {
public:
    using slot = std::shared_ptr<const message>;

    [[nodiscard]] const slot& operator[](std::size_t index) const noexcept;

    /// Puts a message after the first `size`; false when another conversation has already gone on from there.
    [[nodiscard]] bool append(std::size_t size, slot value);

private:
    // Block b holds first_block << b slots.
    static constexpr std::size_t first_block = 8;
    std::array<std::unique_ptr<slot[]>, 48> blocks_ = {};
    std::atomic<std::size_t> used_ = 0;
};

}  // namespace detail

/// Messages, oldest first. Copying costs nothing, whatever the length, and so does going on from a copy: a request handed to another thread
/// shares what it holds. One object belongs to one thread; copies are independent. Each message is immutable once it is in.
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
        reference operator*() const { return *(*store_)[at_]; }
        pointer operator->() const { return (*store_)[at_].get(); }
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
        const_iterator(const detail::message_store* store, std::size_t at) : store_(store), at_(at) {}
        const detail::message_store* store_ = nullptr;
        std::size_t at_ = 0;
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
    [[nodiscard]] const_iterator begin() const noexcept { return {store_.get(), 0}; }
    [[nodiscard]] const_iterator end() const noexcept { return {store_.get(), size_}; }

    /// A message as the object that copies share: whoever holds it may remember by its address what was made of it.
    [[nodiscard]] const std::shared_ptr<const message>& share(std::size_t index) const {
        PYAICHAT_ASSERT(index < size_, "no such message");
        return (*store_)[index];
    }

    /// With how many messages both begin that are the very same objects. At once when one has gone on from a copy of the other.
    [[nodiscard]] std::size_t shared_prefix(const conversation& other) const noexcept;

private:
    std::shared_ptr<detail::message_store> store_;
    std::size_t size_ = 0;
};

}  // namespace pyaichat::inline PYAICHAT_ABI
