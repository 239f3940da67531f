#include "core/surrogates.hpp"

#include <pyaichat/core/json.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;
using namespace pyaichat::detail;

namespace {

std::string kept(std::string_view document) {
    const ai::result<ai::json> parsed = ai::parse_json(document, ai::max_json_depth, ai::lone_surrogates::kept);
    REQUIRE(parsed);
    return std::string(*ai::as_string(*parsed));
}

std::string written(std::string text) {
    std::string out = ai::dump_json(ai::json(std::move(text)));
    escape_surrogates(out, 0);
    return out;
}

}  // namespace

TEST_CASE("halves of surrogate pairs go through a text and come out as they were written") {
    for (const std::string document : {R"("a\ud83db")", R"("\ude00")", R"("\ud800\ud800x\udfff")", R"("\udbff\n\udc00")"}) {
        CAPTURE(document);
        CHECK(written(kept(document)) == document);
    }
    CHECK(ai::parse_json(R"("a\ud83db")").value_or(ai::json()) ==
          "a\xEF\xBF\xBD"
          "b");
}

TEST_CASE("two halves that follow each other are joined, others stay or are replaced") {
    const std::string high = kept(R"("\ud83d")");
    const std::string low = kept(R"("\ude00")");
    CHECK(join_surrogates("x" + high + low + "y") == "x\xF0\x9F\x98\x80y");
    CHECK(join_surrogates(low + high) == low + high);
    CHECK(join_surrogates(high + high + low) == high + "\xF0\x9F\x98\x80");
    CHECK(replace_surrogates(low + "-" + high) == "\xEF\xBF\xBD-\xEF\xBF\xBD");
}

TEST_CASE("other characters are left alone") {
    const std::string text =
        "\xF4\x8F\x9F\xBF \xF0\x9F\x98\x80 \xF4\x8F";  // the character before the private ones, an emoji, half a character
    CHECK(join_surrogates(text) == text);
    CHECK(replace_surrogates(text) == text);
    std::string json_text = text;
    escape_surrogates(json_text, 0);
    CHECK(json_text == text);
}
