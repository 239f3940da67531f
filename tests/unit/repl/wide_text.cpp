#include "terminal/wide_text.hpp"

#include "catch.hpp"

TEST_CASE("text survives the way to wide characters and back") {
    const std::string text = "a \xC3\xB6 \xE2\x82\xAC \xF0\x9F\x90\x8D";
    CHECK(repl::to_wide(text) == L"a \u00f6 \u20ac \U0001F40D");
    CHECK(repl::to_utf8(repl::to_wide(text)) == text);
}

TEST_CASE("what cannot be converted becomes the replacement character") {
    CHECK(repl::to_wide("a\xFF") == L"a\uFFFD");
    CHECK(repl::to_utf8(std::wstring(1, static_cast<wchar_t>(0xD800))) == "\xEF\xBF\xBD");
}
