#include "python/traceback_colors.hpp"

#include <algorithm>
#include <cstddef>
#include <utility>

namespace repl {

namespace {

using std::string_view;

constexpr string_view dim = "\x1b[2m";
constexpr string_view own_place = "\x1b[36m";
constexpr string_view error_type = "\x1b[1;31m";
constexpr string_view marks = "\x1b[31m";
constexpr string_view plain = "\x1b[0m";

/// A line without its indentation, and in an exception group without the bars before it.
struct indented_line {
    string_view text = {};
    std::size_t indent = 0;
};

indented_line split(string_view line, bool in_group) {
    const std::size_t begin = line.find_first_not_of(in_group ? " |+" : " ");
    if (begin == string_view::npos) {
        return {};
    }
    const std::size_t bar = in_group ? line.substr(0, begin).find_last_of("|+") : string_view::npos;
    // A blank separates the bar from the line.
    return {.text = line.substr(begin), .indent = bar == string_view::npos ? begin : begin - std::min(begin, bar + 2)};
}

bool is_library(string_view frame) {
    return frame.find("File \"<frozen ") != string_view::npos || frame.find("/lib/python3") != string_view::npos ||
           frame.find("/lib64/python3") != string_view::npos || frame.find("/site-packages/") != string_view::npos ||
           frame.find("/dist-packages/") != string_view::npos;
}

bool is_marks(string_view text) {
    return !text.empty() && text.find_first_not_of("^~ ") == string_view::npos;
}

/// The length of the type of "package.Error: message", or 0.
std::size_t type_length(string_view text) {
    const std::size_t end = std::min(text.find(": "), text.size());
    const string_view name = text.substr(0, end);
    const bool is_name = !name.empty() && (name.front() < '0' || name.front() > '9') && std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '.' || c == '<' || c == '>' ||
               static_cast<unsigned char>(c) >= 0x80;
    });
    return is_name ? name.size() : 0;
}

class colorer {
public:
    void add(string_view line) {
        in_group_ = in_group_ || line.starts_with("  + Exception Group Traceback");
        const auto [text, indent] = split(line, in_group_);
        if (text.starts_with("File \"") && indent == 2) {
            in_frames_ = true;
            library_ = is_library(text);
            put(line, library_ ? dim : own_place);
        } else if (text.starts_with("Traceback (most recent call last):") || text.starts_with("Exception Group Traceback")) {
            in_frames_ = true;
            put(line, dim);
        } else if (in_frames_ && indent > 2) {
            put(line, library_ ? dim : is_marks(text) ? marks : string_view());
        } else if (const std::size_t type = in_frames_ && indent <= 2 ? type_length(text) : 0; type != 0) {
            in_frames_ = false;  // lines of the message follow
            const std::size_t before = line.size() - text.size();
            out_ += line.substr(0, before);
            put(text.substr(0, type), error_type);
            out_ += text.substr(type);
        } else {
            out_ += line;
        }
    }
    void end_line() { out_ += '\n'; }

    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    void put(string_view text, string_view color) {
        out_ += color;
        out_ += text;
        out_ += color.empty() ? string_view() : plain;
    }

    std::string out_;
    bool in_group_ = false;
    bool in_frames_ = false;
    bool library_ = false;
};

}  // namespace

std::string color_traceback(string_view traceback) {
    colorer colored;
    while (!traceback.empty()) {
        const std::size_t end = std::min(traceback.find('\n'), traceback.size());
        colored.add(traceback.substr(0, end));
        if (end < traceback.size()) {
            colored.end_line();
        }
        traceback.remove_prefix(std::min(end + 1, traceback.size()));
    }
    return colored.take();
}

}  // namespace repl
