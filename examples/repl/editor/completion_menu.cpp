#include "editor/completion_menu.hpp"

#include "editor/grapheme.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>
#include <utility>

namespace repl {

namespace {

std::string common_prefix(const std::vector<completion>& items) {
    std::string_view common = items.front().text;
    for (const completion& item : items) {
        const auto end = std::mismatch(common.begin(), common.end(), item.text.begin(), item.text.end()).first;
        common = common.substr(0, static_cast<std::size_t>(end - common.begin()));
    }
    return std::string(pyaichat::detail::utf8_prefix(items.front().text, common.size()));
}

}  // namespace

void completion_menu::start(completion_list list, edit_buffer& buffer) {
    close();
    if (list.items.empty() || list.begin > list.end || list.end > buffer.text().size()) {
        return;
    }
    list_ = std::move(list);
    chosen_.reset();
    typed_ = buffer.text().substr(list_.begin, list_.end - list_.begin);
    const std::string common = list_.cut ? std::string() : common_prefix(list_.items);
    if (common.starts_with(typed_) ? common.size() > typed_.size() : list_.items.size() == 1 && !list_.cut) {
        put(buffer, common);
        typed_ = common;
    }
    open_ = list_.items.size() > 1 || list_.cut;
}

void completion_menu::put(edit_buffer& buffer, const std::string& text) {
    buffer.replace(list_.begin, list_.end, text);
    list_.end = list_.begin + text.size();
}

void completion_menu::choose(edit_buffer& buffer, std::size_t step) {
    const std::size_t count = list_.items.size();
    chosen_ = chosen_ ? (*chosen_ + step) % count : step == 1 ? 0 : count - 1;
    put(buffer, list_.items[*chosen_].text);
}

void completion_menu::cancel(edit_buffer& buffer) {
    if (chosen_) {
        put(buffer, typed_);
    }
    close();
}

std::vector<extra_line> completion_menu::rows() const {
    const std::size_t count = list_.items.size();
    const std::size_t shown = std::min(count, most_rows);
    const std::size_t chosen = chosen_.value_or(0);
    const std::size_t first = chosen < shown ? 0 : chosen - shown + 1;
    int width = 0;
    for (std::size_t index = first; index < first + shown; ++index) {
        width = std::max(width, text_width(list_.items[index].text));
    }
    std::vector<extra_line> out;
    for (std::size_t index = first; index < first + shown; ++index) {
        const completion& item = list_.items[index];
        const bool is_chosen = chosen_ == index;
        extra_line line{.text = (is_chosen ? "> " : "  ") + item.text};
        line.spans.push_back({.begin = 0, .end = line.text.size(), .style = is_chosen ? text_style::highlight : text_style::plain});
        if (!item.detail.empty()) {
            line.text += std::string(static_cast<std::size_t>(width - text_width(item.text)) + 2, ' ');
            const std::size_t begin = line.text.size();
            line.text += item.detail;
            line.spans.push_back({.begin = begin, .end = line.text.size(), .style = text_style::dimmed});
        }
        out.push_back(std::move(line));
    }
    if (count > shown || list_.cut) {
        const std::string text = "  " + std::to_string(first + shown) + " of " + std::to_string(count) + (list_.cut ? " and more" : "");
        out.push_back({.text = text, .spans = {{.begin = 0, .end = text.size(), .style = text_style::dimmed}}});
    }
    return out;
}

}  // namespace repl
