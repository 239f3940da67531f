#include "python/memory/line_table.hpp"

#include "catch.hpp"

#include <array>

using namespace pyaichat::python::detail;

TEST_CASE("the location table of a code object is decoded") {
    // Short form: columns 4 to 9 of line 7, two code units; one line further: columns 0 to 12, three units; no location; long form.
    const std::array<std::uint8_t, 14> table = {0x81, 0x45, 0xDA, 0, 12, 0xF8, 0xF0, 0x02, 0x02, 0x05, 0x09, 0xE8, 0x03, 0xFF};
    const std::vector<code_range> ranges = decode_line_table(table, 7);
    REQUIRE(ranges.size() == 4);
    CHECK(ranges[0].line == 7);
    CHECK(ranges[0].count == 2);
    CHECK(ranges[0].column == 4);
    CHECK(ranges[0].end_column == 9);
    CHECK(ranges[1].first == 2);
    CHECK(ranges[1].line == 8);
    CHECK(ranges[1].end_column == 12);
    CHECK(find_range(ranges, 5) == nullptr);  // has no line
    CHECK(find_range(ranges, 6)->line == 9);
    CHECK(find_range(ranges, 6)->end_line == 11);
    CHECK(find_range(ranges, 6)->column == 4);
    CHECK(find_range(ranges, 7)->line == 8);
    CHECK(find_range(ranges, 1'000'000) == nullptr);
}

TEST_CASE("a callee begins where its call begins") {
    const std::array<code_range, 4> ranges = {{{.first = 0, .count = 1, .line = 1, .end_line = 1, .column = 0, .end_column = 1},
                                               {.first = 1, .count = 1, .line = 1, .end_line = 1, .column = 0, .end_column = 3},
                                               {.first = 2, .count = 1, .line = 1, .end_line = 1, .column = 4, .end_column = 5},
                                               {.first = 3, .count = 1, .line = 1, .end_line = 1, .column = 0, .end_column = 6}}};
    CHECK(find_callee(ranges, ranges[3]) == &ranges[1]);
    CHECK(find_callee(ranges, ranges[2]) == nullptr);
}
