#include "editor/editor_core.hpp"

#include "editor_bench.hpp"

#include "catch.hpp"

#include <string>

using repl::editor_request;

namespace {

constexpr const char* up = "\033[A";
constexpr const char* down = "\033[B";
constexpr const char* left = "\033[D";
constexpr const char* right = "\033[C";

std::string marked(const std::string& text) {
    return "\033[200~" + text + "\033[201~";
}

std::string row_text(const repl::editor_frame& frame, std::size_t row) {
    std::string out;
    for (const repl::screen_cell& cell : frame.rows[row]) {
        out += cell.text;
    }
    return out;
}

}  // namespace

TEST_CASE("sequences of keys edit the text") {
    struct recorded {
        const char* keys;
        const char* shown;
    };
    const auto recordings = std::vector<recorded>{
        {"abc\001x", "x|abc"},
        {"abc\002\002x", "ax|bc"},
        {"abc\001\006x", "ax|bc"},
        {"abc\001\005x", "abcx|"},
        {"abc\033[Hx\033[Fy", "xabcy|"},
        {"one two\033b\033bx", "x|one two"},
        {"one two\033[1;5D\033[1;5Dx\033[1;5Cy", "xoney| two"},
        {"one two\033\177x", "one x|"},
        {"one two\001\033d", "| two"},
        {"one two\001\033[3;5~", "| two"},
        {"one.two\027x", "x|"},
        {"one two\002\002\013", "one t|"},
        {"one two\002\002\025", "|wo"},
        {"abc\177\010", "a|"},
        {"abc\002\033[3~", "ab|"},
        {"abc\001\004", "|bc"},
        {"abc\024", "acb|"},
        {"one two\033t", "two one|"},
        {"one two\001\033u\033c", "ONE Two|"},
        {"ABC\001\033l", "abc|"},
        {"one\025two\031", "twoone|"},
        {"one two\037", "one|"},
        {"one two\037\037\033/", "one|"},
        {"one two\037\033/", "one two|"},
        {"\033[2~\033[15~\033[24~\033[5~\033[6~\033[1;5A\033[5C\033[3;5~x", "x|"},
        {"\033]0;title\007\033P1$r0m\033\\x", "x|"},
        {"def f():\rreturn 1", "def f():\n    return 1|"},
        {"def f():\r\177x", "def f():\nx|"},
        {"if x:\rif y:\rz", "if x:\n    if y:\n        z|"},
        {"if x:\ry\r\177z", "if x:\n    y\nz|"},
        {"if x:\r\tz", "if x:\n        z|"},
        {"if x:\r\t\033[Zz", "if x:\n    z|"},
        {"x = [1,\r2", "x = [1,\n    2|"},
        {"a\017b", "a\nb|"},
        {"ab\002\017", "a\n|b"},
        {"if x:\ry\033[A\001z", "z|if x:\n    y"},
        {"if x:\ry\033[1;5Hz", "z|if x:\n    y"},
        {"\xC3\xA4\xE4\xB8\xAD\177x", "\xC3\xA4x|"},
        {"e\xCC\x81\177x", "x|"},
        {"va\t", "value|"},
        {"va\t\t", "value|"},
        {"va\t\t\t", "value_one|"},
        {"va\t\t\t\t", "value_two|"},
        {"va\t\033[B\033[B\033[B\033[B", "value|"},
        {"va\t\033[A", "value_two|"},
        {"va\t\t\t\033", "value|"},
        {"va\t\t\tx", "value_onex|"},
        {"x o\t", "x other|"},
        {"zz\t", "zz|"},
        {"\030\005x", "x|"},
        {"a\030bx", "ax|"},
    };
    for (const auto& [keys, shown] : recordings) {
        editor_bench editor;
        editor.type(keys);
        INFO(shown);
        CHECK(editor.shown() == shown);
    }
}

TEST_CASE("Enter ends a complete entry, and goes on with another one") {
    editor_bench editor;
    CHECK(editor.type("1 + 1\r") == editor_request::accept);
    editor.core.begin(editor.context, editor.histories);
    CHECK(editor.type("if x:\ry\r") == editor_request::none);
    CHECK(editor.type("\r") == editor_request::accept);
    editor.core.begin(editor.context, editor.histories);
    CHECK(editor.type("s = '''a\r\r") == editor_request::none);
    CHECK(editor.type("'''\r") == editor_request::accept);
    CHECK(editor.text() == "s = '''a\n\n'''");
}

TEST_CASE("Enter inside a block begins a line, Alt-Enter ends the entry") {
    editor_bench editor;
    editor.type("if x:\ry");
    CHECK(editor.type(std::string(up) + "\r") == editor_request::none);
    CHECK(editor.type("\033\r") == editor_request::accept);
}

TEST_CASE("Ctrl-D leaves only on an empty entry") {
    editor_bench editor;
    CHECK(editor.type("\004") == editor_request::close);
    CHECK(editor.type("x\004") == editor_request::none);
    CHECK(editor.text() == "x");
    editor.core.begin(editor.context, editor.histories);
    CHECK(editor.type("if x:\ry\r\177\004") == editor_request::accept);
}

TEST_CASE("TAB switches the mode on an empty entry only, Alt-P always") {
    editor_bench editor;
    editor.type("\t");
    CHECK(editor.context.assistant);
    editor.type("\t");
    CHECK_FALSE(editor.context.assistant);
    editor.type("x\033p");
    CHECK(editor.context.assistant);
    CHECK(editor.text() == "x");
}

TEST_CASE("a question that the console offers begins the empty entry behind the switch, and no other") {
    editor_bench bench;
    bench.context.offered = "why?";
    bench.type("\t");
    CHECK(bench.shown() == "why?|");

    editor_bench filled;
    filled.context.offered = "why?";
    filled.type("x\x1bp");
    CHECK(filled.shown() == "x|");
}

TEST_CASE("a pasted TAB neither switches nor completes") {
    editor_bench editor;
    editor.type(marked("\t"));
    CHECK_FALSE(editor.context.assistant);
    CHECK(editor.text() == "\t");
    editor.core.begin(editor.context, editor.histories);
    editor.type("\t\tx", true);  // an unmarked paste
    CHECK_FALSE(editor.context.assistant);
    editor.core.begin(editor.context, editor.histories);
    editor.type(marked("va\t"));
    CHECK(editor.text() == "va\t");
}

TEST_CASE("a paste is one edit, and runs if it ends with a line end and is complete") {
    editor_bench editor;
    CHECK(editor.type(marked("if x:\n    y\n\n    z")) == editor_request::none);
    editor.type("\037");
    CHECK(editor.text().empty());
    CHECK(editor.type(marked("def f():\n\treturn 1\nf()\n")) == editor_request::accept);
    CHECK(editor.text() == "def f():\n\treturn 1\nf()");
    editor.core.begin(editor.context, editor.histories);
    CHECK(editor.type(marked("x = [1,\n")) == editor_request::none);
    editor.core.begin(editor.context, editor.histories);
    editor.type("\t" + marked("compute\n1 +\t41\n"));
    CHECK(editor.text() == "compute 1 + 41 ");
}

TEST_CASE("an unmarked paste brings its own indentation") {
    editor_bench editor;
    editor.type("if x:\r    y\r    z\r", true);
    CHECK(editor.text() == "if x:\n    y\n    z\n    ");
    editor.core.begin(editor.context, editor.histories);
    editor.type("if x:\r");
    editor.type("    y", true);
    CHECK(editor.text() == "if x:\n    y");
}

TEST_CASE("Up and Down go through whole entries") {
    editor_bench editor({"first", "def f():\n    pass", "last"});
    editor.type(up);
    CHECK(editor.shown() == "last|");
    editor.type(up);
    CHECK(editor.shown() == "def f():\n    pass|");
    editor.type(up);
    CHECK(editor.shown() == "first|");
    editor.type(std::string(down) + left + up);
    CHECK(editor.shown() == "def f()|:\n    pass");
    editor.type("\033>");
    CHECK(editor.text().empty());
    editor.type("\033<");
    CHECK(editor.shown() == "first|");
    editor.type("\020\016\016");
    CHECK(editor.shown() == "last|");
}

TEST_CASE("typed text selects the entries that begin with it, and comes back") {
    editor_bench editor({"import os", "x = 1", "import sys"});
    editor.type(std::string("imp") + up);
    CHECK(editor.text() == "import sys");
    editor.type(up);
    CHECK(editor.text() == "import os");
    editor.type(std::string(down) + down);
    CHECK(editor.text() == "imp");
}

TEST_CASE("Ctrl-R searches while it is typed") {
    editor_bench editor({"alpha = 1", "beta = 2", "alphabet"});
    editor.type("draft\022alp");
    CHECK(editor.text() == "alphabet");
    editor.type("\022");
    CHECK(editor.text() == "alpha = 1");
    editor.type("\023");
    CHECK(editor.text() == "alphabet");
    editor.type("\007");
    CHECK(editor.shown() == "draft|");
    editor.type("\022beta = 9");
    CHECK(editor.text() == "beta = 2");
    CHECK(row_text(editor.core.frame(80, 24, true), 1) == "no entry contains: beta = 9");
    editor.type("\177\177");
    CHECK(editor.type("\r") == editor_request::accept);
    CHECK(editor.text() == "beta = 2");
}

TEST_CASE("the end of the text accepts what the history suggests") {
    editor_bench editor({"value = compute(1)"});
    editor.type("val");
    CHECK(row_text(editor.core.frame(80, 24, true), 0) == "py> value = compute(1)");
    CHECK(row_text(editor.core.frame(80, 24, false), 0) == "py> val");
    editor.type("\033f");
    CHECK(editor.text() == "value");
    editor.type(right);
    CHECK(editor.text() == "value = compute(1)");
    for (const char* accepts : {"\033[F", "\005"}) {
        editor.core.begin(editor.context, editor.histories);
        editor.type(std::string("v") + accepts);
        CHECK(editor.text() == "value = compute(1)");
    }
}

TEST_CASE("a list of completions that was cut inserts no prefix") {
    editor_bench editor;
    editor.context.cut = true;
    editor.type("va\t");
    CHECK(editor.text() == "va");
    const auto frame = editor.core.frame(80, 24, true);
    CHECK(row_text(frame, 1).find("value") != std::string::npos);
    CHECK(row_text(frame, 4).find("and more") != std::string::npos);
}

TEST_CASE("the menu shows what candidates are, and Enter takes the chosen one") {
    editor_bench editor;
    editor.type("va\t\t");
    CHECK(row_text(editor.core.frame(80, 24, true), 1) == "> value      int");
    CHECK(editor.type("\r") == editor_request::none);
    CHECK(editor.core.frame(80, 24, true).rows.size() == 1);
    CHECK(editor.text() == "value");
}

TEST_CASE("the signature is shown until the next key") {
    editor_bench editor;
    editor.type("f(\033h");
    CHECK(row_text(editor.core.frame(80, 24, true), 1) == "f(x) -> int");
    editor.type("1");
    CHECK(editor.core.frame(80, 24, true).rows.size() == 1);
    editor.type("\033OP");
    CHECK(editor.core.frame(80, 24, true).rows.size() == 2);
}

TEST_CASE("keys that concern the program are requests") {
    editor_bench editor;
    CHECK(editor.type("\003") == editor_request::interrupt);
    CHECK(editor.type("\014") == editor_request::clear_screen);
    CHECK(editor.type("\032") == editor_request::suspend);
    CHECK(editor.type("\034") == editor_request::quit);
    CHECK(editor.type("\030\005") == editor_request::open_editor);
}
