#include "editor/entry_history.hpp"

#include <algorithm>

namespace repl {

bool entry_history::add(std::string_view entry) {
    leave();
    if (!entries_.empty() && entries_.back() == entry) {
        return false;
    }
    entries_.emplace_back(entry);
    if (entries_.size() > most_entries + most_entries / 10) {  // now and then, because it moves all entries
        entries_.erase(entries_.begin(), entries_.end() - static_cast<std::ptrdiff_t>(most_entries));
    }
    return true;
}

void entry_history::begin(std::string_view current, bool as_prefix) {
    at_ = entries_.size();
    draft_ = current;
    prefix_ = as_prefix ? current : std::string_view();
}

std::string_view entry_history::shown() const {
    return *at_ < entries_.size() ? entries_[*at_] : draft_;
}

std::optional<std::string> entry_history::older(std::string_view current, bool as_prefix) {
    if (!at_) {
        begin(current, as_prefix);
    }
    for (std::size_t next = *at_; next > 0; --next) {
        const std::string& entry = entries_[next - 1];
        if (entry.starts_with(prefix_) && entry != current) {
            at_ = next - 1;
            return entry;
        }
    }
    return std::nullopt;
}

std::optional<std::string> entry_history::newer(std::string_view current) {
    if (!at_) {
        return std::nullopt;
    }
    for (std::size_t next = *at_ + 1; next < entries_.size(); ++next) {
        if (entries_[next].starts_with(prefix_) && entries_[next] != current) {
            at_ = next;
            return entries_[next];
        }
    }
    return draft();
}

std::optional<std::string> entry_history::oldest(std::string_view current) {
    if (entries_.empty()) {
        return std::nullopt;
    }
    if (!at_) {
        begin(current, false);
    }
    at_ = 0;
    return std::string(shown());
}

std::optional<std::string> entry_history::draft() {
    if (!at_) {
        return std::nullopt;
    }
    at_.reset();
    return draft_;
}

std::optional<std::size_t> entry_history::find_older(std::size_t from, std::string_view wanted) const {
    for (std::size_t next = std::min(from, entries_.size()); next > 0; --next) {
        if (entries_[next - 1].find(wanted) != std::string::npos) {
            return next - 1;
        }
    }
    return std::nullopt;
}

std::optional<std::size_t> entry_history::find_newer(std::size_t from, std::string_view wanted) const {
    for (std::size_t next = from + 1; next < entries_.size(); ++next) {
        if (entries_[next].find(wanted) != std::string::npos) {
            return next;
        }
    }
    return std::nullopt;
}

std::string_view entry_history::suggestion(std::string_view text) const {
    if (text.empty()) {
        return {};
    }
    const auto longer = [&](const std::string& entry) { return entry.size() > text.size() && entry.starts_with(text); };
    const auto newest = std::find_if(entries_.rbegin(), entries_.rend(), longer);
    return newest == entries_.rend() ? std::string_view() : std::string_view(*newest).substr(text.size());
}

}  // namespace repl
