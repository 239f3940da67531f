#include "assistant/cell_width.hpp"

#include <algorithm>
#include <iterator>

namespace repl {

namespace {

struct code_point_range {
    char32_t first;
    char32_t last;
};

// Sorted. The blocks of the scripts that matter for text in a terminal, not every character of the Unicode tables.
constexpr code_point_range no_cells[] = {{0x0300, 0x036F}, {0x0483, 0x0489}, {0x0591, 0x05BD},   {0x0610, 0x061A},  {0x064B, 0x065F},
                                         {0x0670, 0x0670}, {0x06D6, 0x06DC}, {0x0900, 0x0902},   {0x093C, 0x093C},  {0x0941, 0x0948},
                                         {0x094D, 0x094D}, {0x0E31, 0x0E31}, {0x0E34, 0x0E3A},   {0x0E47, 0x0E4E},  {0x1AB0, 0x1AFF},
                                         {0x1DC0, 0x1DFF}, {0x200B, 0x200F}, {0x2060, 0x2064},   {0x20D0, 0x20FF},  {0xFE00, 0xFE0F},
                                         {0xFE20, 0xFE2F}, {0xFEFF, 0xFEFF}, {0x1F3FB, 0x1F3FF}, {0xE0100, 0xE01EF}};
constexpr code_point_range two_cells[] = {
    {0x1100, 0x115F}, {0x231A, 0x231B}, {0x23E9, 0x23EC},   {0x23F0, 0x23F0},   {0x25FD, 0x25FE},   {0x2614, 0x2615},   {0x2648, 0x2653},
    {0x26A1, 0x26A1}, {0x26BD, 0x26BE}, {0x2705, 0x2705},   {0x270A, 0x270B},   {0x2728, 0x2728},   {0x274C, 0x274C},   {0x2753, 0x2755},
    {0x2757, 0x2757}, {0x2795, 0x2797}, {0x2B1B, 0x2B1C},   {0x2B50, 0x2B50},   {0x2B55, 0x2B55},   {0x2E80, 0x303E},   {0x3041, 0x33FF},
    {0x3400, 0x4DBF}, {0x4E00, 0x9FFF}, {0xA000, 0xA4CF},   {0xA960, 0xA97F},   {0xAC00, 0xD7A3},   {0xF900, 0xFAFF},   {0xFE30, 0xFE6F},
    {0xFF00, 0xFF60}, {0xFFE0, 0xFFE6}, {0x1F300, 0x1F64F}, {0x1F680, 0x1F6FF}, {0x1F900, 0x1F9FF}, {0x1FA70, 0x1FAFF}, {0x20000, 0x3FFFD}};

template <std::size_t N>
bool is_among(const code_point_range (&ranges)[N], char32_t value) noexcept {
    const auto* found = std::lower_bound(std::begin(ranges), std::end(ranges), value,
                                         [](const code_point_range& range, char32_t wanted) { return range.last < wanted; });
    return found != std::end(ranges) && found->first <= value;
}

/// Decodes the character at `at` and moves `at` behind it. The text is valid UTF-8.
char32_t decode_character(std::string_view text, std::size_t& at) noexcept {
    const auto lead = static_cast<unsigned char>(text[at++]);
    const int more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
    char32_t value = more == 0 ? lead : lead & (0x3FU >> static_cast<unsigned>(more));
    for (int i = 0; i < more && at < text.size(); ++i, ++at) {
        value = value << 6U | (static_cast<unsigned char>(text[at]) & 0x3FU);
    }
    return value;
}

}  // namespace

std::size_t cell_width(std::string_view text) noexcept {
    constexpr char32_t joiner = 0x200D;
    std::size_t cells = 0;
    bool joined = false;
    for (std::size_t at = 0; at < text.size();) {
        const char32_t value = decode_character(text, at);
        if (!joined && !is_among(no_cells, value)) {
            cells += is_among(two_cells, value) ? 2 : 1;
        }
        joined = value == joiner;
    }
    return cells;
}

}  // namespace repl
