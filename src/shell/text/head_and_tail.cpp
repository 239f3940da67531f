#include "shell/text/head_and_tail.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

void head_and_tail::append(std::string_view text) {
    total_ += text.size();
    const std::string_view begin = text.substr(0, head_size_ - head_.size());
    head_ += begin;
    text.remove_prefix(begin.size());
    text.remove_prefix(text.size() - std::min(text.size(), tail_size_));
    tail_ += text;
    if (tail_.size() > 2 * tail_size_) {
        tail_.erase(0, tail_.size() - tail_size_);
    }
}

std::string head_and_tail::text() const {
    if (!is_cut()) {
        return head_ + tail_;
    }
    std::string_view begin = head_;
    while (!is_utf8(begin)) {  // at most three times: the text is valid, and may be cut within a character
        begin.remove_suffix(1);
    }
    std::string_view end = tail_;
    end.remove_prefix(end.size() - std::min(end.size(), tail_size_));
    while (!is_utf8(end)) {
        end.remove_prefix(1);
    }
    const std::uint64_t left_out = total_ - begin.size() - end.size();
    std::string out(begin);
    out += begin.empty() || begin.ends_with('\n') ? "" : "\n";
    return out + "[... " + std::to_string(left_out) + " bytes left out ...]\n" + std::string(end);
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
