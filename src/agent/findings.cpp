#include "agent/findings.hpp"

#include <pyaichat/core/text.hpp>
#include <pyaichat/message/capability_call.hpp>

namespace pyaichat::inline v0::detail {

namespace {
constexpr std::size_t max_lines = 8;
constexpr std::size_t max_line_bytes = 160;
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
    const auto text = as_string(*shown);
    lines_.push_back(one_line(describe_call(name, arguments) + " -> " + (text ? std::string(*text) : dump_json(*shown)), max_line_bytes));
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
