#include <pyaichat/message/conversation.hpp>

#include <algorithm>
#include <bit>

namespace pyaichat::inline PYAICHAT_ABI {

namespace detail {

namespace {

struct position {
    std::size_t block = 0;
    std::size_t offset = 0;
};

/// Blocks double in size, so that a place is found by the number of bits in its index.
position find(std::size_t index, std::size_t first_block) noexcept {
    const auto block = static_cast<std::size_t>(std::bit_width(index / first_block + 1)) - 1;
    return {block, index - first_block * ((std::size_t{1} << block) - 1)};
}

}  // namespace

const message_store::slot& message_store::operator[](std::size_t index) const noexcept {
    const position at = find(index, first_block);
    return blocks_[at.block][at.offset];
}

bool message_store::append(std::size_t size, slot value) {
    std::size_t expected = size;
    if (!used_.compare_exchange_strong(expected, size + 1)) {
        return false;
    }
    const position at = find(size, first_block);
    if (at.offset == 0) {
        blocks_[at.block] = std::make_unique<slot[]>(first_block << at.block);
    }
    blocks_[at.block][at.offset] = std::move(value);
    return true;
}

}  // namespace detail

conversation::conversation(std::initializer_list<message> messages) {
    for (const message& one : messages) {
        push_back(one);
    }
}

void conversation::push_back(std::shared_ptr<const message> value) {
    PYAICHAT_ASSERT(value != nullptr, "a conversation has no empty places");
    if (!store_) {
        store_ = std::make_shared<detail::message_store>();
    }
    if (!store_->append(size_, value)) {
        // A copy has gone on from here before: the ways part.
        auto own = std::make_shared<detail::message_store>();
        for (std::size_t i = 0; i < size_; ++i) {
            static_cast<void>(own->append(i, (*store_)[i]));
        }
        static_cast<void>(own->append(size_, std::move(value)));
        store_ = std::move(own);
    }
    ++size_;
}

void conversation::replace_back(message value) {
    PYAICHAT_ASSERT(!empty(), "replace_back on an empty conversation");
    --size_;
    push_back(std::move(value));
}

std::size_t conversation::shared_prefix(const conversation& other) const noexcept {
    const std::size_t shorter = std::min(size_, other.size_);
    if (store_ == other.store_) {
        return shorter;
    }
    std::size_t same = 0;
    while (same < shorter && (*store_)[same] == (*other.store_)[same]) {
        ++same;
    }
    return same;
}

}  // namespace pyaichat::inline PYAICHAT_ABI
