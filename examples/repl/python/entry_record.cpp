#include "python/entry_record.hpp"

#include "python/bound_names.hpp"

#include <pyaichat/core/text.hpp>

#include <utility>

namespace repl {

namespace {

constexpr std::size_t most_entries = 10'000;

}  // namespace

void bounded_output::add(std::string_view text) {
    if (const std::size_t room = half_ - head_.size(); room > 0 && dropped_ == 0 && tail_.empty()) {
        const std::string_view first = ai::detail::utf8_prefix(text, room);
        head_ += first;
        text.remove_prefix(first.size());
    }
    tail_ += text;
    if (tail_.size() > half_) {
        const std::string_view kept = ai::detail::utf8_suffix(tail_, half_);
        dropped_ += tail_.size() - kept.size();
        tail_ = std::string(kept);
    }
}

std::string bounded_output::text() const {
    return head_ + (dropped_ > 0 ? "\n[... " + std::to_string(dropped_) + " bytes left out ...]\n" : "") + tail_;
}

void entry_record::begin(const std::string& input, std::string_view file_name) {
    const std::lock_guard lock(mutex_);
    if (file_name.starts_with('<') && file_name != "<input>" && file_name != "<exec>") {
        return;
    }
    input_ = input.substr(0, input.find_last_not_of('\n') + 1);
    typed_ = file_name == "<input>";
    output_ = bounded_output(max_output);
    open_ = true;
}

void entry_record::add_output(std::string_view text) {
    const std::lock_guard lock(mutex_);
    if (open_) {
        output_.add(text);
    }
}

void entry_record::end(const ai::python::outcome& outcome) {
    const std::lock_guard lock(mutex_);
    using ai::python::ending;
    const bool ran = outcome.ending != ending::incomplete && outcome.ending != ending::busy && outcome.ending != ending::unavailable;
    if (!std::exchange(open_, false) || !ran) {
        return;
    }
    last_ = finished_entry{.input = input_,
                           .output = output_.text(),
                           .truncated = output_.truncated(),
                           .exception = outcome.exception,
                           .names = bound_names(input_)};
    if (typed_ && entries_.size() < most_entries) {
        entries_.push_back(std::move(input_));
    }
}

void entry_record::add_command(std::string input, std::string_view output) {
    const std::lock_guard lock(mutex_);
    bounded_output kept(max_output);
    kept.add(output);
    last_ = finished_entry{.input = std::move(input), .output = kept.text(), .truncated = kept.truncated()};
}

std::optional<finished_entry> entry_record::last() const {
    const std::lock_guard lock(mutex_);
    return last_;
}

std::vector<std::string> entry_record::entries() const {
    const std::lock_guard lock(mutex_);
    return entries_;
}

void entry_record::add_earlier(std::string input) {
    const std::lock_guard lock(mutex_);
    entries_.push_back(std::move(input));
}

}  // namespace repl
