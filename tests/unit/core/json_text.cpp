#include "core/json_text.hpp"

#include <pyaichat/core/text.hpp>

#include "catch.hpp"

#include <cmath>
#include <string>

namespace ai = pyaichat;

TEST_CASE("a string is written as the JSON library writes it, whatever its bytes") {
    std::string all;
    for (int c = 0; c < 256; ++c) {
        all += static_cast<char>(c);
    }
    for (const std::string& text :
         {std::string(), std::string("plain"), all, all + all, std::string("\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80"),
          std::string("\xf0\x9f\x98"), std::string("\"\\/\b\f\n\r\t\x1f\x7f"), std::string(1, '\0')}) {
        std::string out;
        ai::detail::append_string(out, text);
        const auto read = ai::parse_json(out);
        REQUIRE(read);
        CHECK(*read == ai::detail::repair_utf8(text));
        if (ai::detail::is_utf8(text)) {
            CHECK(out == ai::dump_json(text));
        }
    }
}

TEST_CASE("an escape is found at every place of a text") {
    const std::string base = "0123456789 \xc3\xa9 \x7f!#[]^ abcdefghi";
    for (const char special : {'"', '\\', '\0', '\x1f', '\n'}) {
        for (std::size_t at = 0; at <= base.size(); ++at) {
            std::string text = base;
            text.insert(at, 1, special);
            std::string out;
            ai::detail::append_string(out, text);
            if (ai::detail::is_utf8(text)) {
                CHECK(out == ai::dump_json(text));
            }
        }
    }
}

TEST_CASE("a value is written as the JSON library writes it, whatever it holds") {
    ai::json deep = 1;
    for (std::size_t level = 0; level < ai::max_json_depth + 3; ++level) {
        deep = level % 2 == 0 ? ai::json::array({std::move(deep), "x"}) : ai::json({{"k\n", std::move(deep)}});
    }
    for (const ai::json& value :
         {ai::json(), ai::json(true), ai::json(-7), ai::json(18446744073709551615u), ai::json(0.1), ai::json(1e300), ai::json(-0.0),
          ai::json(std::nan("")), ai::json("a\"b"), ai::json::object(), ai::json::array(), ai::json::array({1, ai::json::array(), nullptr}),
          ai::json({{"b", {1, 2}}, {"a", {{"\x01", "\xe2\x82\xac"}}}, {"", false}}), ai::json::binary({1, 2}), deep}) {
        std::string out = "{";
        ai::detail::append_json(out, value);
        CHECK(out == "{" + ai::dump_json(value));
    }
}

TEST_CASE("a comma goes between two and nowhere else") {
    std::string out;
    ai::detail::append_comma(out);
    CHECK(out.empty());
    for (const char* begun : {"[", "{", "x[", "{\"a\":{"}) {
        out = begun;
        ai::detail::append_comma(out);
        CHECK(out == begun);
    }
    out = "1";
    ai::detail::append_comma(out);
    CHECK(out == "1,");
}
