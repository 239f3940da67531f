#include "shell/text/head_and_tail.hpp"

#include <pyaichat/core/text.hpp>

#include "catch.hpp"

using pyaichat::detail::head_and_tail;

TEST_CASE("a text within the budget is kept whole", "[head_and_tail]") {
    head_and_tail kept(8);
    kept.append("abc");
    kept.append("defgh");
    CHECK_FALSE(kept.is_cut());
    CHECK(kept.text() == "abcdefgh");
}

TEST_CASE("of a longer text, begin and end are kept and the middle is counted", "[head_and_tail]") {
    head_and_tail kept(8);
    kept.append("abcd----------");
    kept.append("wxyz");
    CHECK(kept.is_cut());
    CHECK(kept.text() == "abcd\n[... 10 bytes left out ...]\nwxyz");
}

TEST_CASE("the pieces make no difference, and no character is cut", "[head_and_tail]") {
    std::string text;
    for (int i = 0; i < 1000; ++i) {
        text += "\xE2\x82\xAC" + std::to_string(i);
    }
    for (std::size_t budget = 0; budget < 40; ++budget) {
        head_and_tail whole(budget);
        whole.append(text);
        head_and_tail pieces(budget);
        for (const char byte : text) {
            pieces.append({&byte, 1});
        }
        CHECK(whole.text() == pieces.text());
        CHECK(pyaichat::detail::is_utf8(whole.text()));
    }
}
