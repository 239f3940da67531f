#include "editor/undo_log.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace repl {

void undo_log::add(text_change change, bool typed) {
    changes_.resize(done_);
    const bool joins =
        typed && open_ && !changes_.empty() && change.removed.empty() && !change.inserted.empty() &&
        change.at == changes_.back().at + changes_.back().inserted.size() &&
        !(pyaichat::detail::is_space(change.inserted.front()) && !pyaichat::detail::is_space(changes_.back().inserted.back()));
    if (joins) {
        changes_.back().inserted += change.inserted;
    } else {
        changes_.push_back(std::move(change));
        ++done_;
    }
    open_ = typed;
}

void undo_log::clear() {
    changes_.clear();
    done_ = 0;
    open_ = false;
}

const text_change* undo_log::undo() {
    open_ = false;
    return done_ == 0 ? nullptr : &changes_[--done_];
}

const text_change* undo_log::redo() {
    open_ = false;
    return done_ == changes_.size() ? nullptr : &changes_[done_++];
}

}  // namespace repl
