#include "assistant/call_output_view.hpp"

#include "assistant/event_text.hpp"

#include <algorithm>

namespace repl {

namespace {

constexpr std::string_view indentation = "  ";
constexpr std::string_view dim = "\x1B[2m";
constexpr std::string_view normal = "\x1B[0m";

}  // namespace

std::string call_output_view::feed(std::string_view text) {
    const std::string plain = styled_ ? std::string() : without_styles(text);
    std::string out;
    for (std::string_view rest = styled_ ? text : plain; !rest.empty();) {
        if (!line_open_) {
            (out += indentation) += styled_ ? dim : "";
            line_open_ = true;
        }
        const char next = rest.front();
        const std::size_t size = next == '\x1B' ? rest.find('m') + 1
                                 : next == '\n' ? 1
                                                : std::min(rest.find_first_of("\x1B\n"), rest.size());
        if (next == '\n') {
            out += styled_ ? normal : "";
            line_open_ = false;
        }
        out += rest.substr(0, size);
        if (next == '\x1B') {
            out += dim;  // the style of the program may have ended it
        }
        rest.remove_prefix(size);
    }
    return out;
}

std::string call_output_view::finish() {
    const bool open = line_open_;
    line_open_ = false;
    return !open ? "" : styled_ ? std::string(normal) + "\n" : "\n";
}

}  // namespace repl
