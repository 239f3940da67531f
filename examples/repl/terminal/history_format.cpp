#include "terminal/history_format.hpp"

#include <pyaichat/core/text.hpp>

#include <algorithm>

namespace repl {

namespace {

constexpr std::string_view first_line = "> ";
constexpr std::string_view other_line = "| ";
constexpr std::string_view libedit_header = "_HiStOrY_V2_";

bool is_octal(std::string_view text) {
    return text.size() == 3 && std::ranges::all_of(text, [](char c) { return c >= '0' && c <= '7'; });
}

/// libedit writes blanks and backslashes as a backslash with three octal digits, or with the character itself.
std::string decode_libedit(std::string_view line) {
    std::string out;
    for (std::size_t at = 0; at < line.size(); ++at) {
        if (line[at] == '\\' && is_octal(line.substr(at + 1, 3))) {
            out += static_cast<char>((line[at + 1] - '0') * 64 + (line[at + 2] - '0') * 8 + (line[at + 3] - '0'));
            at += 3;
        } else if (line[at] == '\\' && at + 1 < line.size()) {
            out += line[++at];
        } else {
            out += line[at];
        }
    }
    return out;
}

}  // namespace

std::string format_history(std::string_view entry) {
    std::string out(first_line);
    for (const char c : entry) {
        out += c;
        if (c == '\n') {
            out += other_line;
        }
    }
    return out + "\n";
}

std::vector<std::string> parse_history(std::string_view text) {
    const bool from_libedit = text.starts_with(libedit_header);
    std::vector<std::string> entries;
    while (!text.empty()) {
        const std::size_t end = std::min(text.find('\n'), text.size());
        const std::string_view line = text.substr(0, end);
        text.remove_prefix(std::min(end + 1, text.size()));
        if (line.starts_with(other_line) && !entries.empty()) {
            entries.back() += "\n" + std::string(line.substr(other_line.size()));
        } else if (line.starts_with(first_line)) {
            entries.emplace_back(line.substr(first_line.size()));
        } else if (!line.starts_with(libedit_header) && !pyaichat::detail::is_blank(line)) {
            entries.push_back(from_libedit ? decode_libedit(line) : std::string(line));
        }
    }
    for (std::string& entry : entries) {
        if (!pyaichat::detail::is_utf8(entry)) {
            entry = pyaichat::detail::repair_utf8(entry);
        }
    }
    return entries;
}

}  // namespace repl
