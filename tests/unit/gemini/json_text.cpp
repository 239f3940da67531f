#include "gemini/json_text.hpp"

#include <pyaichat/core/text.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
namespace codec = pyaichat::gemini_codec;

TEST_CASE("a string is written as the JSON library writes it, whatever its bytes") {
    std::string all;
    for (int c = 0; c < 256; ++c) {
        all += static_cast<char>(c);
    }
    for (const std::string& text :
         {std::string(), std::string("plain"), all, all + all, std::string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
          std::string("\xf0\x9f\x98"), std::string("\"\\/\b\f\n\r\t\x1f\x7f"), std::string(1, '\0')}) {
        std::string out;
        codec::append_string(out, text);
        const auto read = ai::parse_json(out);
        REQUIRE(read);
        CHECK(*read == ai::repair_utf8(text));
        if (ai::is_utf8(text)) {
            CHECK(out == ai::dump_json(text));
        }
    }
}

TEST_CASE("a comma goes between two and nowhere else") {
    std::string out;
    codec::append_comma(out);
    CHECK(out.empty());
    for (const char* begun : {"[", "{", "x[", "{\"a\":{"}) {
        out = begun;
        codec::append_comma(out);
        CHECK(out == begun);
    }
    out = "1";
    codec::append_comma(out);
    CHECK(out == "1,");
}
