#include "editor/bracket_match.hpp"

#include <algorithm>
#include <optional>
#include <string>

namespace repl {

namespace {

constexpr std::string_view openers = "([{";
constexpr std::string_view closers = ")]}";
constexpr std::size_t farthest = 65536;

bool is_code(const std::vector<styled_span>& spans, std::size_t at) {
    const auto span =
        std::upper_bound(spans.begin(), spans.end(), at, [](std::size_t value, const styled_span& each) { return value < each.end; });
    return span == spans.end() || span->begin > at ||
           (span->style != text_style::string && span->style != text_style::comment && span->style != text_style::error);
}

bool is_bracket(char c) {
    return openers.find(c) != std::string_view::npos || closers.find(c) != std::string_view::npos;
}

std::optional<std::size_t> partner(std::string_view text, std::size_t at, const std::vector<styled_span>& spans) {
    const bool forward = openers.find(text[at]) != std::string_view::npos;
    std::string expected;  // the brackets that have to come, the next one last
    const std::size_t steps = forward ? text.size() - at : at + 1;
    for (std::size_t step = 0; step < std::min(steps, farthest); ++step) {
        const std::size_t here = forward ? at + step : at - step;
        if (!is_bracket(text[here]) || !is_code(spans, here)) {
            continue;
        }
        const std::size_t opens = (forward ? openers : closers).find(text[here]);
        if (opens != std::string_view::npos) {
            expected += (forward ? closers : openers)[opens];
        } else if (expected.empty() || expected.back() != text[here]) {
            return std::nullopt;
        } else {
            expected.pop_back();
            if (expected.empty()) {
                return here;
            }
        }
    }
    return std::nullopt;
}

}  // namespace

std::vector<styled_span> matching_brackets(std::string_view text, std::size_t cursor, const std::vector<styled_span>& spans) {
    std::size_t at = cursor;
    if (cursor > 0 && is_bracket(text[cursor - 1]) && is_code(spans, cursor - 1)) {
        at = cursor - 1;
    } else if (cursor >= text.size() || !is_bracket(text[cursor]) || !is_code(spans, cursor)) {
        return {};
    }
    const std::optional<std::size_t> other = partner(text, at, spans);
    if (!other) {
        return {};
    }
    const auto [first, second] = std::minmax(at, *other);
    return {{.begin = first, .end = first + 1, .style = text_style::highlight},
            {.begin = second, .end = second + 1, .style = text_style::highlight}};
}

}  // namespace repl
