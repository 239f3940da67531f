#include "lua/manifest/plain_text.hpp"

#include "catch.hpp"

using namespace pyaichat::lua::detail;

TEST_CASE("characters that nobody sees are known, and those of ordinary text are not taken for them") {
    for (const char* unseen : {"\n", "\x1b", "\x7f", "\xC2\x85", "\xD8\x9C", "\xE2\x80\x8B", "\xE2\x80\x8F", "\xE2\x80\xA8", "\xE2\x80\xAE",
                               "\xE2\x81\xA0", "\xE2\x81\xA6", "\xEF\xBB\xBF", "\xF3\xA0\x81\x81"}) {
        const std::string text = std::string("a") + unseen + "b";
        CHECK(has_unseen(text));
        CHECK(plain_line(text, 20) == (*unseen == '\n' ? "a b" : "ab"));
    }
    for (const char* seen :
         {"plain", "T\xC3\xBCr \xE2\x80\x9Cgro\xC3\x9F\xE2\x80\x9D \xE2\x80\x94 \xE2\x82\xAC", "\xD8\xB3\xD9\x84\xD8\xA7\xD9\x85",
          "\xD9\x85\xDB\x8C\xE2\x80\x8C\xD8\xAE", "\xF0\x9F\x91\xA9\xE2\x80\x8D\xF0\x9F\x92\xBB", "\xE6\x96\x87", "\xEF\xBC\x81"}) {
        CHECK_FALSE(has_unseen(seen));
        CHECK(plain_line(seen, 100) == seen);
    }
}

TEST_CASE("a path is shown as it is, but for what a person would not see") {
    CHECK(shown_path("plugins/t\xC3\xBCr v2.lua") == "plugins/t\xC3\xBCr v2.lua");
    CHECK(shown_path("a\nb\x1b[2J.lua") == "a\\x0ab\\x1b[2J.lua");
    CHECK(shown_path("a\xE2\x80\xAE.lua") == "a\\xe2\\x80\\xae.lua");
    CHECK(shown_path("t\xFCr.lua") == "t\\xfcr.lua");
    CHECK(shown_path("").empty());
}
