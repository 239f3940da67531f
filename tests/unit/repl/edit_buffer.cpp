#include "editor/edit_buffer.hpp"

#include "catch.hpp"

#include <string>

namespace {

repl::edit_buffer holding(const std::string& text) {
    repl::edit_buffer buffer;
    buffer.reset(text);
    return buffer;
}

}  // namespace

TEST_CASE("the cursor passes characters as a person sees them") {
    // e with an accent as two characters, a family of joined emoji, a flag, a wide character
    for (const std::string one : {"e\xCC\x81", "\xF0\x9F\x91\xA8\xE2\x80\x8D\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x91\xA7",
                                  "\xF0\x9F\x87\xA9\xF0\x9F\x87\xAA", "\xE4\xB8\xAD", "\xE2\x9D\xA4\xEF\xB8\x8F"}) {
        repl::edit_buffer buffer = holding("a" + one + "b");
        buffer.left();
        buffer.left();
        CHECK(buffer.cursor() == 1);
        buffer.right();
        CHECK(buffer.cursor() == 1 + one.size());
        buffer.backspace();
        CHECK(buffer.text() == "ab");
    }
}

TEST_CASE("undo takes back a word, redo brings it again") {
    repl::edit_buffer buffer;
    for (const char c : std::string("one two")) {
        buffer.begin_command();
        buffer.type(std::string(1, c));
    }
    CHECK(buffer.undo());
    CHECK(buffer.text() == "one");
    CHECK(buffer.undo());
    CHECK(buffer.text().empty());
    CHECK_FALSE(buffer.undo());
    CHECK(buffer.redo());
    CHECK(buffer.redo());
    CHECK(buffer.text() == "one two");
    CHECK_FALSE(buffer.redo());
}

TEST_CASE("a change after an undo replaces what could be repeated") {
    repl::edit_buffer buffer;
    buffer.insert("a");
    buffer.insert("b");
    buffer.undo();
    buffer.insert("c");
    CHECK_FALSE(buffer.redo());
    CHECK(buffer.text() == "ac");
}

TEST_CASE("kills one after the other are yanked together, earlier ones by yank-pop") {
    repl::edit_buffer buffer = holding("one two three");
    buffer.begin_command();
    buffer.kill(8, 13);
    buffer.begin_command();
    buffer.move_to(0);
    buffer.begin_command();
    buffer.kill(0, 4);
    buffer.begin_command();
    buffer.kill(0, 4);
    CHECK(buffer.text().empty());
    buffer.begin_command();
    buffer.yank();
    CHECK(buffer.text() == "one two ");
    buffer.begin_command();
    buffer.yank_pop();
    CHECK(buffer.text() == "three");
    buffer.begin_command();
    buffer.yank_pop();
    CHECK(buffer.text() == "one two ");
    buffer.begin_command();
    buffer.left();
    buffer.begin_command();
    buffer.yank_pop();
    CHECK(buffer.text() == "one two ");
}

TEST_CASE("killing backwards keeps the order of the text") {
    repl::edit_buffer buffer = holding("one two");
    buffer.begin_command();
    buffer.kill(4, 7);
    buffer.begin_command();
    buffer.kill(0, 4);
    buffer.begin_command();
    buffer.yank();
    CHECK(buffer.text() == "one two");
}

TEST_CASE("backspace in the indentation removes one level") {
    repl::edit_buffer buffer = holding("if x:\n        ");
    buffer.backspace();
    CHECK(buffer.text() == "if x:\n    ");
    buffer.type("  ");
    buffer.backspace();
    CHECK(buffer.text() == "if x:\n    ");
    buffer.type("y");
    buffer.backspace();
    buffer.backspace();
    buffer.backspace();
    CHECK(buffer.text() == "if x:");
}

TEST_CASE("up and down keep the column") {
    repl::edit_buffer buffer = holding("abcdef\nx\nabc\xE4\xB8\xADz");
    buffer.move_to(5);
    buffer.begin_command();
    CHECK(buffer.down());
    CHECK(buffer.cursor() == 8);
    buffer.begin_command();
    CHECK(buffer.down());
    CHECK(buffer.text().substr(buffer.cursor()) == "z");
    buffer.begin_command();
    CHECK_FALSE(buffer.down());
}

TEST_CASE("characters and words change places") {
    repl::edit_buffer buffer = holding("abc");
    buffer.transpose_characters();
    CHECK(buffer.text() == "acb");
    buffer.reset("one two");
    buffer.move_to(3);
    buffer.transpose_words();
    CHECK(buffer.text() == "two one");
    buffer.reset("x");
    buffer.transpose_characters();
    buffer.transpose_words();
    CHECK(buffer.text() == "x");
}

TEST_CASE("a line loses one level of its indentation") {
    repl::edit_buffer buffer = holding("if x:\n      y");
    buffer.dedent();
    CHECK(buffer.text() == "if x:\n  y");
    CHECK(buffer.at_end());
    buffer.dedent();
    buffer.dedent();
    CHECK(buffer.text() == "if x:\ny");
}
