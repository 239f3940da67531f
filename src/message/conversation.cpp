#include <pyaichat/message/conversation.hpp>

#include <algorithm>
#include <utility>

namespace pyaichat::inline PYAICHAT_ABI {

conversation::conversation(std::initializer_list<message> messages) {
    for (const message& value : messages) {
        push_back(value);
    }
}

void conversation::push_back(std::shared_ptr<const message> value) {
    PYAICHAT_ASSERT(value != nullptr, "a message of a conversation must not be null");
    std::size_t expected = size_;
    if (!store_ || size_ == store_->slots.size() || !store_->used.compare_exchange_strong(expected, size_ + 1)) {
        // The store is full, or a copy has already taken the next slot.
        auto own = std::make_shared<store>(std::max<std::size_t>(8, 2 * size_));
        std::copy_n(slots(), size_, own->slots.begin());
        own->used = size_ + 1;
        store_ = std::move(own);
    }
    store_->slots[size_++] = std::move(value);
}

void conversation::replace_back(message value) {
    pop_back();
    push_back(std::move(value));
}

std::size_t conversation::shared_prefix(const conversation& other) const noexcept {
    const std::size_t shorter = std::min(size_, other.size_);
    if (store_ == other.store_) {
        return shorter;
    }
    return static_cast<std::size_t>(std::mismatch(slots(), slots() + shorter, other.slots()).first - slots());
}

}  // namespace pyaichat::inline PYAICHAT_ABI
