#include <pyaichat/core/json.hpp>

#include "catch.hpp"

#include <limits>
#include <string>

namespace ai = pyaichat;

TEST_CASE("a document is read and written back with sorted keys") {
    const auto value = ai::parse_json(R"({"b": [1, 2.5, null], "a": "x"})");
    REQUIRE(value);
    CHECK(ai::dump_json(*value) == R"({"a":"x","b":[1,2.5,null]})");
}

TEST_CASE("what is not JSON is a failure that quotes its beginning in one line") {
    for (const char* text : {"", "  ", "{", "[1,]", "{\"a\":1} x", "nul", "1e999", "<html>\n<body>"}) {
        const auto value = ai::parse_json(text);
        INFO(text);
        REQUIRE_FALSE(value);
        CHECK(value.error().code == ai::errc::bad_response);
        CHECK(value.error().message.find('\n') == std::string::npos);
    }
}

TEST_CASE("a document that nests too deep is refused where it becomes too deep") {
    const std::string deep(200'000, '[');
    const auto value = ai::parse_json(deep);
    REQUIRE_FALSE(value);
    CHECK(value.error().code == ai::errc::too_large);
    CHECK(ai::parse_json(std::string(128, '[') + std::string(128, ']')));
    CHECK_FALSE(ai::parse_json(std::string(129, '[') + std::string(129, ']')));
}

TEST_CASE("brackets inside strings do not count as nesting") {
    const std::string text = "\"" + std::string(500, '[') + "\\\"" + std::string(500, '{') + "\"";
    CHECK(ai::parse_json(text));
}

TEST_CASE("bytes that are not UTF-8 become replacement characters") {
    const auto value = ai::parse_json("\"a\xFF\xC3 b\"");
    REQUIRE(value);
    CHECK(ai::as_string(*value) == "a\xEF\xBF\xBD\xEF\xBF\xBD b");
}

TEST_CASE("lone surrogates become replacement characters and pairs stay") {
    const auto value = ai::parse_json(R"(["\ud800", "\ud83d\ude00", "\udc00x", "\\ud800"])");
    REQUIRE(value);
    CHECK(ai::as_string((*value)[0]) == "\xEF\xBF\xBD");
    CHECK(ai::as_string((*value)[1]) == "\xF0\x9F\x98\x80");
    CHECK(ai::as_string((*value)[2]) == "\xEF\xBF\xBDx");
    CHECK(ai::as_string((*value)[3]) == "\\ud800");
}

TEST_CASE("dumping never throws, whatever the value") {
    ai::json value = ai::json::object();
    value["bytes"] = "\xFF";
    value["nan"] = std::numeric_limits<double>::quiet_NaN();
    value["infinite"] = std::numeric_limits<double>::infinity();
    CHECK(ai::dump_json(value) == "{\"bytes\":\"\xEF\xBF\xBD\",\"infinite\":null,\"nan\":null}");

    ai::json deep = 1;
    for (int i = 0; i < 1000; ++i) {
        ai::json outer = ai::json::array();
        outer.push_back(std::move(deep));
        deep = std::move(outer);
    }
    CHECK(ai::dump_json(deep) == std::string(128, '[') + "null" + std::string(128, ']'));
}

TEST_CASE("members are found in objects only") {
    const ai::json object = {{"name", "x"}, {"count", 3}, {"whole", 3.0}, {"part", 3.5}, {"yes", true}};
    CHECK(ai::string_member(object, "name") == "x");
    CHECK_FALSE(ai::string_member(object, "count"));
    CHECK_FALSE(ai::string_member(object, "missing"));
    CHECK(ai::integer_member(object, "whole") == 3);
    CHECK_FALSE(ai::integer_member(object, "part"));
    CHECK(ai::bool_member(object, "yes") == true);
    CHECK(ai::find_member(ai::json::array(), "name") == nullptr);
    CHECK(ai::find_member(ai::json("name"), "name") == nullptr);
}

TEST_CASE("integers out of range are no integers") {
    CHECK_FALSE(ai::as_integer(ai::json(std::numeric_limits<std::uint64_t>::max())));
    CHECK_FALSE(ai::as_integer(ai::json(9223372036854775808.0)));
    CHECK(ai::as_integer(ai::json(-9223372036854775808.0)) == std::numeric_limits<std::int64_t>::min());
    CHECK_FALSE(ai::as_integer(ai::json(std::numeric_limits<double>::quiet_NaN())));
    CHECK(ai::as_number(ai::json(7)) == 7.0);
    CHECK_FALSE(ai::as_number(ai::json("7")));
}

TEST_CASE("with a budget, a document is parsed as without one") {
    for (const char* text : {"null", "true", "-7", "18446744073709551615", "1.5e3", "\"text\"", "[]", "{}", R"([1,[2,{"a":[]}],"x"])",
                             R"({"a":{"b":[1,2,{"c":null}]},"a":2})", "\"\\ud800 \xff\"", "[1,", "1 2", "", "{\"a\"}", "1e999"}) {
        INFO(text);
        ai::json_budget budget;
        const auto bounded = ai::parse_json(text, budget);
        const auto plain = ai::parse_json(text);
        REQUIRE(bounded.has_value() == plain.has_value());
        if (plain) {
            CHECK(*bounded == *plain);
        } else {
            CHECK(bounded.error().code == plain.error().code);
            CHECK(bounded.error().message == plain.error().message);
        }
    }
    ai::json_budget budget;
    CHECK(ai::parse_json(std::string(200, '[') + std::string(200, ']'), budget).error().code == ai::errc::too_large);
    CHECK(*ai::parse_json("\"\\ud800\"", budget, ai::lone_surrogates::kept) ==
          *ai::parse_json("\"\\ud800\"", 8, ai::lone_surrogates::kept));
}

TEST_CASE("a budget counts the values of all documents, and ends the one that exceeds it") {
    ai::json_budget budget{.values = 6};
    CHECK(ai::parse_json(R"({"a":[1,2]})", budget));
    CHECK(budget.values == 2);
    CHECK(ai::parse_json("[\"\xff\"]", budget));  // parsed twice, because it is repaired
    CHECK(budget.values == 0);
    CHECK(ai::parse_json("1", budget).error().code == ai::errc::too_large);
    ai::json_budget tight{.values = 3};
    CHECK(ai::parse_json("[1,2]", tight));
    tight.values = 3;
    CHECK(ai::parse_json("[1,2,3]", tight).error().code == ai::errc::too_large);
}

TEST_CASE("a budget can end the parsing of a long document") {
    std::string text = "[0";
    for (int i = 0; i < 20'000; ++i) {
        text += ",0";
    }
    text += ']';
    int asked = 0;
    ai::json_budget budget{.interrupted = [&]() -> std::optional<ai::failure> {
        return ++asked == 2 ? std::optional(ai::failure{.code = ai::errc::timeout}) : std::nullopt;
    }};
    CHECK(ai::parse_json(text, budget).error().code == ai::errc::timeout);
    CHECK(asked == 2);
    CHECK(ai::parse_json(text, budget));
}
