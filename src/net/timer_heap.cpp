#include "net/timer_heap.hpp"

namespace pyaichat::inline PYAICHAT_ABI::net {

void timer::set(std::chrono::steady_clock::time_point at) {
    cancel();
    at_ = at;
    heap_.insert(*this);
}

void timer::cancel() noexcept {
    if (place_ != not_set) {
        heap_.erase(*this);
    }
}

bool timer_heap::expire_first(time_point now) {
    if (first() > now) {
        return false;
    }
    timer& due = *heap_.front();
    due.cancel();
    due.action_();
    return true;
}

void timer_heap::insert(timer& entry) {
    heap_.push_back(&entry);
    entry.place_ = heap_.size() - 1;
    move_up(entry.place_);
}

void timer_heap::erase(timer& entry) noexcept {
    const std::size_t place = entry.place_;
    timer* const last = heap_.back();
    heap_.pop_back();
    entry.place_ = timer::not_set;
    if (last != &entry) {
        put(place, last);
        move_up(place);
        move_down(last->place_);
    }
}

void timer_heap::put(std::size_t place, timer* entry) noexcept {
    heap_[place] = entry;
    entry->place_ = place;
}

void timer_heap::move_up(std::size_t place) noexcept {
    timer* const entry = heap_[place];
    while (place > 0) {
        const std::size_t parent = (place - 1) / 2;
        if (heap_[parent]->at_ <= entry->at_) {
            break;
        }
        put(place, heap_[parent]);
        place = parent;
    }
    put(place, entry);
}

void timer_heap::move_down(std::size_t place) noexcept {
    timer* const entry = heap_[place];
    for (;;) {
        std::size_t child = 2 * place + 1;
        if (child >= heap_.size()) {
            break;
        }
        if (child + 1 < heap_.size() && heap_[child + 1]->at_ < heap_[child]->at_) {
            ++child;
        }
        if (entry->at_ <= heap_[child]->at_) {
            break;
        }
        put(place, heap_[child]);
        place = child;
    }
    put(place, entry);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::net
