#include "agent/machine/findings.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>

#include <algorithm>

namespace pyaichat::inline PYAICHAT_ABI::detail {

namespace {
constexpr std::size_t max_lines = 8;
constexpr std::size_t max_line_bytes = 160;

/// Appends the beginning of a value as JSON. Does not serialize the rest: a result may be large, and only one line is shown.
void write_beginning(const json& value, std::string& text) {
    if (text.size() > max_line_bytes) {
        return;
    }
    if (const auto* characters = value.get_ptr<const json::string_t*>()) {
        text += dump_json(json(std::string(utf8_prefix(*characters, max_line_bytes))));
    } else if (!value.is_structured() || value.empty()) {
        text += dump_json(value);
    } else {
        const auto* members = value.get_ptr<const json::object_t*>();
        text += members != nullptr ? '{' : '[';
        const std::size_t before = text.size();
        for (auto member = value.begin(); member != value.end() && text.size() <= max_line_bytes; ++member) {
            text += text.size() == before ? "" : ",";
            if (members != nullptr) {
                text += dump_json(json(std::string(utf8_prefix(member.key(), max_line_bytes)))) + ":";
            }
            write_beginning(*member, text);
        }
        text += members != nullptr ? '}' : ']';
    }
}

std::string line_of(const call_finished& call, std::string_view headline) {
    const json* shown = headline.empty() ? nullptr : find_member(call.reply.result, headline);
    if (shown == nullptr) {
        shown = &call.reply.result;
    }
    std::string line;
    if (const auto text = as_string(*shown)) {
        line = utf8_prefix(*text, 4 * max_line_bytes);  // `one_line` shortens white space
    } else {
        write_beginning(*shown, line);
    }
    return one_line(describe_call(call.name, call.arguments) + " -> " + line, max_line_bytes);
}

}  // namespace

void findings::add(std::size_t index, std::string headline) {
    if (restored_.size() + found_.size() == max_lines) {
        ++more_;
        return;
    }
    found_.push_back({.index = index, .headline = std::move(headline)});
}

std::vector<std::string> findings::lines(std::span<const event> happened) const {
    std::vector<std::string> all = restored_;
    for (const finding& entry : found_) {
        all.push_back(line_of(*happened[entry.index].as<call_finished>(), entry.headline));
    }
    return all;
}

std::string findings::text(std::span<const event> happened) const {
    const std::vector<std::string> all = lines(happened);
    if (all.empty()) {
        return {};
    }
    std::string block = "Confirmed so far:";
    // If there are too many findings, their number replaces the last line.
    for (std::size_t i = 0; i < all.size(); ++i) {
        const bool counted = more_ > 0 && i + 1 == all.size();
        block += "\n" + (counted ? "and " + std::to_string(more_ + 1) + " more" : all[i]);
    }
    return block;
}

void findings::restore(const stored& from) {
    for (const std::string& line : std::span(from.lines).first(std::min(from.lines.size(), max_lines))) {
        restored_.push_back(one_line(line, max_line_bytes));
    }
    more_ = from.more;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::detail
