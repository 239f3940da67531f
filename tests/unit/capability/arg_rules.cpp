#include <pyaichat/capability/detail/arg_rules.hpp>

#include "catch.hpp"

#include <array>

namespace ai = pyaichat;
using ai::json;
using ai::detail::arg_rules;
using ai::detail::parameter_traits;

TEST_CASE("rules add defaults and limits to a schema, and check arguments") {
    const std::array args{ai::arg{"n", "how many", 3}.at_most(9), ai::arg{"text"}};
    const std::array types{parameter_traits::of<int>(), parameter_traits::of<std::optional<std::string>>()};
    json schema = json::parse(R"({"type": "object", "properties": {"n": {"type": "integer"}, "text": {"type": "string"}}})");
    const ai::result<arg_rules> rules = arg_rules::make("f", args, types, schema);
    REQUIRE(rules);
    CHECK(schema["properties"]["n"] == json({{"type", "integer"}, {"maximum", 9}, {"default", 3}}));
    CHECK(schema["properties"]["text"] == json({{"type", "string"}}));
    REQUIRE(rules->fallback(0) != nullptr);
    CHECK(*rules->fallback(0) == 3);
    CHECK(rules->fallback(1) == nullptr);
    CHECK(rules->check({{"n", 9}}).empty());
    CHECK(rules->check({{"n", 10}}).front().path == "/n");
}

TEST_CASE("the traits of a type look into an optional") {
    CHECK(parameter_traits::of<std::optional<int>>().is_whole);
    CHECK_FALSE(parameter_traits::of<bool>().is_measure);
    CHECK_FALSE(parameter_traits::of<double>().is_whole);
    CHECK(parameter_traits::of<std::optional<std::chrono::minutes>>().unit == 60);
    CHECK(parameter_traits::of<std::filesystem::path>().is_text);
}
