#include "python/memory/line_table.hpp"

#include <algorithm>
#include <tuple>

namespace pyaichat::inline PYAICHAT_ABI::python::detail {

namespace {

/// Reads the numbers of the table.
struct table_cursor {
    std::span<const std::uint8_t> table;
    std::size_t at = 0;

    [[nodiscard]] std::uint8_t next() { return at < table.size() ? table[at++] : 0; }

    /// Six bits per byte, the lowest first; the seventh says that more follow.
    [[nodiscard]] std::uint32_t number() {
        std::uint32_t value = 0;
        unsigned shift = 0;
        for (std::uint8_t byte = 0x40; (byte & 0x40) != 0 && shift < 30; shift += 6) {
            byte = next();
            value |= static_cast<std::uint32_t>(byte & 0x3F) << shift;
        }
        return value;
    }
    [[nodiscard]] int signed_number() {
        const std::uint32_t value = number();
        const auto size = static_cast<int>(value >> 1);
        return (value & 1) != 0 ? -size : size;
    }
};

// The kinds of entries (PEP 626 and Objects/locations.md of CPython).
constexpr unsigned kind_one_line = 10;  // and the two after it
constexpr unsigned kind_no_columns = 13;
constexpr unsigned kind_long = 14;
constexpr unsigned kind_none = 15;

constexpr std::int64_t max_line = 1 << 30;

}  // namespace

std::vector<code_range> decode_line_table(std::span<const std::uint8_t> table, int first_line) {
    std::vector<code_range> ranges;
    table_cursor cursor{table};
    std::int64_t line = first_line;
    std::uint32_t instruction = 0;
    while (cursor.at < table.size()) {
        const std::uint8_t head = cursor.next();
        const unsigned kind = head >> 3 & 15;
        code_range range = {.first = instruction, .count = static_cast<std::uint32_t>(head & 7) + 1};
        instruction += range.count;
        int lines = 0;
        if (kind == kind_long) {
            line += cursor.signed_number();
            lines = static_cast<int>(cursor.number());
            range.column = static_cast<int>(cursor.number()) - 1;
            range.end_column = static_cast<int>(cursor.number()) - 1;
        } else if (kind == kind_no_columns) {
            line += cursor.signed_number();
        } else if (kind == kind_none) {
            continue;
        } else if (kind >= kind_one_line) {
            line += kind - kind_one_line;
            range.column = cursor.next();
            range.end_column = cursor.next();
        } else {
            const std::uint8_t columns = cursor.next();
            range.column = static_cast<int>(kind * 8 + (columns >> 4));
            range.end_column = range.column + (columns & 15);
        }
        line = std::clamp<std::int64_t>(line, 0, max_line);
        range.line = static_cast<int>(line);
        range.end_line = static_cast<int>(std::min<std::int64_t>(line + lines, max_line));
        ranges.push_back(range);
    }
    return ranges;
}

const code_range* find_range(std::span<const code_range> ranges, std::uint32_t instruction) {
    const auto found = std::find_if(ranges.begin(), ranges.end(), [&](const code_range& each) {
        return each.first <= instruction && instruction - each.first < each.count;
    });
    return found == ranges.end() ? nullptr : &*found;
}

const code_range* find_callee(std::span<const code_range> ranges, const code_range& call) {
    const auto end_of = [](const code_range& range) { return std::tuple(range.end_line, range.end_column); };
    const code_range* callee = nullptr;
    for (const code_range& each : ranges) {
        const bool begins_there = call.column >= 0 && each.line == call.line && each.column == call.column;
        if (begins_there && end_of(each) < end_of(call) && (callee == nullptr || end_of(each) > end_of(*callee))) {
            callee = &each;
        }
    }
    return callee;
}

}  // namespace pyaichat::inline PYAICHAT_ABI::python::detail
