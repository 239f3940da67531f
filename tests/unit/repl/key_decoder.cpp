#include "editor/key_decoder.hpp"

#include "catch.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace key_decoder_tests {

namespace {

std::vector<repl::key> decode(std::string_view bytes, bool settled = false) {
    repl::key_decoder decoder;
    decoder.feed(bytes);
    if (settled) {
        decoder.settle();
    }
    std::vector<repl::key> keys;
    while (auto pressed = decoder.next()) {
        keys.push_back(*pressed);
    }
    return keys;
}

/// A short name of each key: "C-left", "A-f", "x".
std::string names(std::string_view bytes, bool settled = false) {
    using repl::key_name;
    std::string out;
    for (const repl::key& pressed : decode(bytes, settled)) {
        constexpr const char* all[] = {"unknown", "",     "enter", "tab",     "backspace", "escape", "up",     "down", "left",
                                       "right",   "home", "end",   "page_up", "page_down", "insert", "remove", "f",    "paste"};
        out += out.empty() ? "" : " ";
        out += std::string(pressed.shift ? "S-" : "") + (pressed.control ? "C-" : "") + (pressed.alt ? "A-" : "");
        out += all[static_cast<int>(pressed.name)];
        if (pressed.name == key_name::character) {
            out += static_cast<char>(pressed.code);
        } else if (pressed.name == key_name::function) {
            out += std::to_string(pressed.code);
        }
    }
    return out;
}

}  // namespace

TEST_CASE("the keys of xterm, VTE, tmux, screen, rxvt and the Linux console are known") {
    struct sequence {
        const char* bytes;
        const char* keys;
    };
    const auto known = std::vector<sequence>{
        {"\033[A\033[B\033[C\033[D", "up down right left"},
        {"\033OA\033OB\033OC\033OD", "up down right left"},
        {"\033[1;5C\033[1;5D\033[1;5A\033[1;5B", "C-right C-left C-up C-down"},
        {"\033[1;3C\033[1;3D\033[1;2C\033[1;6D\033[1;9D", "A-right A-left S-right S-C-left A-left"},
        {"\033[5C\033[5D", "unknown unknown"},
        {"\033Oc\033Od", "C-right C-left"},
        {"\033[a\033[d", "S-up S-left"},
        {"\033\033[C\033\033OD", "A-right A-left"},
        {"\033[H\033[F\033OH\033OF", "home end home end"},
        {"\033[1~\033[4~\033[7~\033[8~", "home end home end"},
        {"\033[1;5H\033[1;5F\033[7^\033[8^", "C-home C-end C-home C-end"},
        {"\033[2~\033[3~\033[5~\033[6~", "insert remove page_up page_down"},
        {"\033[3;5~\033[3^\033[3;3~\033[3;2~", "C-remove C-remove A-remove S-remove"},
        {"\033[5;5~\033[6;5~", "C-page_up C-page_down"},
        {"\033OP\033OQ\033OR\033OS", "f1 f2 f3 f4"},
        {"\033[11~\033[12~\033[13~\033[14~\033[15~", "f1 f2 f3 f4 f5"},
        {"\033[17~\033[18~\033[19~\033[20~\033[21~\033[23~\033[24~", "f6 f7 f8 f9 f10 f11 f12"},
        {"\033[[A\033[[E", "f1 f5"},
        {"\033[1;5P\033[15;5~", "C-f1 C-f5"},
        {"\033[Z", "S-tab"},
        {"\033[27;5;13~\033[27;2;13~\033[27;5;9~", "C-enter S-enter C-tab"},
        {"\r\n\t\177\010", "enter enter tab backspace backspace"},
        {"\001\005\032\037\034", "C-a C-e C-z C-_ C-\\"},
        {"\033f\033<\033\177\033\r", "A-f A-< A-backspace A-enter"},
        {"\033OM\033Oq", "enter 1"},
    };
    for (const auto& [bytes, keys] : known) {
        CHECK(names(bytes) == keys);
    }
}

TEST_CASE("unknown sequences are swallowed whole") {
    for (const char* bytes : {"\033[?1;2c", "\033[200;1;1;1X", "\033[<0;10;5M", "\033[12;40R", "\033]0;title\007",
                              "\033]11;rgb:0/0/0\033\\", "\033P1$r0m\033\\", "\033_text\033\\", "\033[1;5;9;9;9u", "\033[M !!"}) {
        INFO(bytes + 1);
        CHECK(names(std::string(bytes) + "x") == "unknown x");
    }
}

TEST_CASE("a sequence may arrive byte by byte") {
    repl::key_decoder decoder;
    for (const char byte : std::string_view("\033[1;5")) {
        decoder.feed({&byte, 1});
        CHECK_FALSE(decoder.next());
        CHECK(decoder.unfinished());
    }
    decoder.feed("C");
    CHECK(decoder.next() == repl::key{.name = repl::key_name::right, .control = true});
    CHECK_FALSE(decoder.unfinished());
}

TEST_CASE("time decides whether ESC is a key of its own") {
    CHECK(names("\033").empty());
    CHECK(names("\033", true) == "escape");
    CHECK(names("\033[", true) == "unknown");
    repl::key_decoder decoder;
    decoder.feed("\033[3");
    decoder.settle();
    CHECK_FALSE(decoder.next());  // nobody types this: the rest is on its way
    decoder.feed("~x");
    CHECK(decoder.next()->name == repl::key_name::remove);
    CHECK(decoder.next()->code == 'x');
}

TEST_CASE("UTF-8 is decoded, and what is not UTF-8 becomes the replacement character") {
    const auto keys = decode("\xC3\xA4\xF0\x9F\x90\x8D\xFFz\xC3(");
    REQUIRE(keys.size() == 6);
    CHECK(keys[0].code == 0xE4);
    CHECK(keys[1].code == 0x1F40D);
    CHECK(keys[2].code == 0xFFFD);
    CHECK(keys[3].code == 'z');
    CHECK(keys[4].code == 0xFFFD);
    CHECK(keys[5].code == '(');
    CHECK(decode("\xF0\x9F\x90").empty());
}

TEST_CASE("a marked paste is one key, with line ends and without control characters") {
    const auto keys = decode("\033[200~a\r\nb\rc\nd\te\003\033[A\xFF\033[201~x");
    REQUIRE(keys.size() == 2);
    CHECK(keys[0] == repl::key{.name = repl::key_name::paste, .text = "a\nb\nc\nd\te[A\xEF\xBF\xBD"});
    CHECK(keys[1].code == 'x');
}

TEST_CASE("a paste may arrive in pieces that split its end mark") {
    repl::key_decoder decoder;
    decoder.feed("\033[200~abc\033[2");
    CHECK_FALSE(decoder.next());
    CHECK(decoder.pasting());
    decoder.feed("01~");
    CHECK(decoder.next()->text == "abc");
    CHECK_FALSE(decoder.pasting());
}

TEST_CASE("a byte that breaks a sequence off is a key") {
    CHECK(names("\033[1;\003") == "unknown C-c");
    CHECK(names("\033]0;never ended\003x") == "unknown C-c x");
}

}  // namespace key_decoder_tests
