#include "agent/findings.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>

namespace pyaichat::inline v0::detail {

namespace {
constexpr std::size_t max_lines = 8;
constexpr std::size_t max_line_bytes = 160;

/// The beginning of a value's text, without writing all of it: one line is shown of a result of any size.
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
        for (auto one = value.begin(); one != value.end() && text.size() <= max_line_bytes; ++one) {
            text += text.size() == before ? "" : ",";
            if (members != nullptr) {
                text += dump_json(json(std::string(utf8_prefix(one.key(), max_line_bytes)))) + ":";
            }
            write_beginning(*one, text);
        }
        text += members != nullptr ? '}' : ']';
    }
}

}  // namespace

void findings::add(std::string_view name, const json& arguments, const capability_reply& reply, std::string_view headline) {
    if (!reply.ok()) {
        return;
    }
    if (lines_.size() == max_lines) {
        ++more_;
        return;
    }
    const json* shown = headline.empty() ? nullptr : find_member(reply.result, headline);
    if (shown == nullptr) {
        shown = &reply.result;
    }
    std::string line;
    if (const auto text = as_string(*shown)) {
        line = utf8_prefix(*text, 4 * max_line_bytes);  // white space is joined below
    } else {
        write_beginning(*shown, line);
    }
    lines_.push_back(one_line(describe_call(name, arguments) + " -> " + line, max_line_bytes));
}

std::string findings::text() const {
    if (lines_.empty()) {
        return {};
    }
    std::string block = "Confirmed so far:";
    // The last of the lines gives way to the count when there is more than fits.
    for (std::size_t i = 0; i < lines_.size(); ++i) {
        const bool counted = more_ > 0 && i + 1 == lines_.size();
        block += "\n" + (counted ? "and " + std::to_string(more_ + 1) + " more" : lines_[i]);
    }
    return block;
}

json findings::snapshot() const {
    json out = json::object();
    out["lines"] = lines_;
    out["more"] = more_;
    return out;
}

void findings::restore(const json_fields& from) {
    const json& lines = from.value("lines");
    for (std::size_t i = 0; lines.is_array() && i < lines.size() && i < max_lines; ++i) {
        lines_.push_back(one_line(as_string(lines[i]).value_or(std::string_view()), max_line_bytes));
    }
    more_ = static_cast<std::size_t>(from.integer("more"));
}

}  // namespace pyaichat::inline v0::detail
