#pragma once
#include <pyaichat/message/message.hpp>

#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <memory>
#include <vector>

namespace pyaichat::inline v0 {

/// Messages, oldest first. Copies share the messages themselves (each is immutable once it is in), so that a request handed to another
/// thread costs pointers and not texts. One object belongs to one thread; copies are independent.
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
        using base = std::vector<std::shared_ptr<const message>>::const_iterator;
        explicit const_iterator(base at) : at_(at) {}
        base at_ = {};
    };

    conversation() = default;
    conversation(std::initializer_list<message> messages) {
        for (const message& one : messages) {
            push_back(one);
        }
    }

    void push_back(message value) { messages_.push_back(std::make_shared<const message>(std::move(value))); }

    /// Puts another message in place of the last one. Copies made before keep the old one.
    void replace_back(message value) {
        PYAICHAT_ASSERT(!empty(), "replace_back on an empty conversation");
        messages_.back() = std::make_shared<const message>(std::move(value));
    }

    [[nodiscard]] bool empty() const noexcept { return messages_.empty(); }
    [[nodiscard]] std::size_t size() const noexcept { return messages_.size(); }
    [[nodiscard]] const message& operator[](std::size_t index) const {
        PYAICHAT_ASSERT(index < size(), "no such message");
        return *messages_[index];
    }
    [[nodiscard]] const message& back() const {
        PYAICHAT_ASSERT(!empty(), "back on an empty conversation");
        return *messages_.back();
    }
    [[nodiscard]] const_iterator begin() const noexcept { return const_iterator(messages_.begin()); }
    [[nodiscard]] const_iterator end() const noexcept { return const_iterator(messages_.end()); }

private:
    std::vector<std::shared_ptr<const message>> messages_;
};

}  // namespace pyaichat::inline v0
