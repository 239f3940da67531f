#include "editor/painter.hpp"

#include "editor_bench.hpp"
#include "tiny_terminal.hpp"

#include "catch.hpp"

#include <random>
#include <string>
#include <vector>

namespace {

constexpr const char* family = "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7";

std::vector<std::string> painted(const repl::frame_content& content, std::size_t width, std::size_t height) {
    const repl::editor_frame frame = repl::lay_out(content, width, height);
    tiny_terminal terminal(width, height);
    terminal.write(repl::painter(width, true).paint(frame));
    std::vector<std::string> rows;
    for (std::size_t row = 0; row < frame.rows.size(); ++row) {
        rows.push_back(terminal.row(row));
    }
    CHECK(terminal.cursor_row() == frame.cursor_row);
    CHECK(terminal.cursor_column() == frame.cursor_column);
    return rows;
}

}  // namespace

TEST_CASE("a text is wrapped at the width of the terminal") {
    using rows = std::vector<std::string>;
    const auto show = [](std::string_view text, std::size_t cursor) {
        return painted({.text = text, .cursor = cursor, .prompt = "py> ", .continuation_prompt = "... "}, 10, 5);
    };
    CHECK(show("abc", 3) == rows{"py> abc"});
    CHECK(show("abcdefgh", 8) == rows{"py> abcdef", "gh"});
    CHECK(show("abcdef", 6) == rows{"py> abcdef", ""});
    CHECK(show("abcdef", 5) == rows{"py> abcdef"});
    CHECK(show("a\nb", 3) == rows{"py> a", "... b"});
    CHECK(show("abcde\xE4\xB8\xAD", 8) == rows{"py> abcde", "\xE4\xB8\xAD"});
    CHECK(show("\tx", 2) == rows{"py>", "x"});
    CHECK(show(std::string("a") + family + "b", 0) == rows{std::string("py> a") + family + "b"});
    CHECK(show("e\xCC\x81x", 0) == rows{"py> e\xCC\x81x"});
    CHECK(show("a\x01\xE2\x80\xAE", 0) == rows{"py> a\xEF\xBF\xBD\xEF\xBF\xBD"});
}

TEST_CASE("a text that is taller than the terminal shows the rows around the cursor") {
    const std::string text = "1\n2\n3\n4\n5\n6\n7";
    const auto rows = painted({.text = text, .cursor = text.size(), .prompt = "p ", .continuation_prompt = ". "}, 10, 3);
    CHECK(rows == std::vector<std::string>{". 5", ". 6", ". 7"});
    CHECK(painted({.text = text, .cursor = 0, .prompt = "p ", .continuation_prompt = ". "}, 10, 3) ==
          std::vector<std::string>{"p 1", ". 2", ". 3"});
}

TEST_CASE("only what differs is written") {
    repl::painter painter(80, true);
    const auto frame = [](std::string_view text) { return repl::lay_out({.text = text, .cursor = text.size(), .prompt = "py> "}, 80, 24); };
    CHECK(painter.paint(frame("value = 1")) == "py> value = 1");
    CHECK(painter.paint(frame("value = 12")) == "2");
    CHECK(painter.paint(frame("value = 12")).empty());
    CHECK(painter.paint(frame("value")) == "\r\033[9C\033[K");
    CHECK(painter.finish() == "\r\r\n");
}

TEST_CASE("colours appear only if they are on") {
    const std::vector<repl::styled_span> spans = {{.begin = 0, .end = 3, .style = repl::text_style::keyword}};
    const auto frame = repl::lay_out({.text = "def f", .cursor = 5, .prompt = "py> ", .spans = spans}, 80, 24);
    CHECK(repl::painter(80, true).paint(frame) == "py> \033[0;35mdef\033[0m f");
    CHECK(repl::painter(80, false).paint(frame) == "py> def f");
}

TEST_CASE("after random keys the screen shows what a full redraw shows") {
    const std::vector<std::string> keys = {"a",
                                           "b",
                                           " ",
                                           "(",
                                           ")",
                                           "'",
                                           "\"",
                                           "#",
                                           ":",
                                           "x = ",
                                           "def f():",
                                           "\r",
                                           "\r",
                                           "\t",
                                           "\t",
                                           "\177",
                                           "\177",
                                           "\033[D",
                                           "\033[C",
                                           "\033[A",
                                           "\033[B",
                                           "\033[1;5D",
                                           "\033[1;5C",
                                           "\001",
                                           "\005",
                                           "\013",
                                           "\025",
                                           "\027",
                                           "\031",
                                           "\033y",
                                           "\037",
                                           "\033_",
                                           "\024",
                                           "\033t",
                                           "\022",
                                           "\023",
                                           "\007",
                                           "\033",
                                           "\033h",
                                           "\033p",
                                           "\033<",
                                           "\033>",
                                           "\017",
                                           "\033[Z",
                                           "\xE4\xB8\xAD",
                                           "\xC3\xA4",
                                           "e\xCC\x81",
                                           family,
                                           "\xF0\x9F\x98\x80",
                                           "\xFF",
                                           "\xF0\x9F\x87\xA9",
                                           "\xE2\x9D\xA4\xEF\xB8\x8F",
                                           "\033[200~one\n\ttwo\xE4\xB8\xAD\nthree four five six seven eight\033[201~",
                                           "\033[3~",
                                           "\033[5C",
                                           "\033]0;x\007",
                                           "\033[5~",
                                           "\033[6~",
                                           "va\t"};
    const std::size_t widths[] = {2, 5, 11, 40};
    for (unsigned seed = 0; seed < 60; ++seed) {
        std::mt19937 random(seed);
        const std::size_t width = widths[seed % 4];
        const std::size_t height = 1 + seed % 9;
        editor_bench editor({"first = 1", "def f():\n    return 1", "value_long = [1, 2, 3]"});
        repl::painter painter(width, true);
        tiny_terminal shown(width, height);
        for (int step = 0; step < 150; ++step) {
            if (editor.type(keys[random() % keys.size()]) == repl::editor_request::accept) {
                shown.write(painter.finish());
                editor.histories[0].add(editor.text());
                editor.core.begin(editor.context, editor.histories);
            }
            const repl::editor_frame frame = editor.core.frame(width, height, true);
            shown.write(painter.paint(frame));
            tiny_terminal redrawn(width, height);
            redrawn.write(repl::painter(width, true).paint(frame));
            REQUIRE(frame.rows.size() <= height);
            REQUIRE(frame.cursor_row < frame.rows.size());
            REQUIRE(shown.cursor_row() >= frame.cursor_row);
            REQUIRE(shown.cursor_column() == redrawn.cursor_column());
            const std::size_t top = shown.cursor_row() - frame.cursor_row;
            for (std::size_t row = 0; top + row < height; ++row) {
                INFO("seed " << seed << " step " << step << " row " << row << " width " << width << " height " << height);
                REQUIRE(shown.row(top + row) == redrawn.row(row));
            }
        }
    }
}
