#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"
#include "parsed.hpp"

#include <cstdint>
#include <limits>

namespace ai = pyaichat;

namespace {

bool fits(const ai::json& schema, const ai::json& value) {
    const ai::result<ai::compiled_schema> made = ai::compile_schema(schema);
    REQUIRE(made);
    return ai::validate(*made, value).empty();
}

constexpr double infinity = std::numeric_limits<double>::infinity();
constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
constexpr std::int64_t least = std::numeric_limits<std::int64_t>::min();

}  // namespace

TEST_CASE("an integer is a number without fraction, however it is written") {
    for (const char* whole :
         {"1.0", "-0", "-0.0", "1e3", "1e300", "18446744073709551615", "-9223372036854775808", "123456789012345678901234567890"}) {
        INFO(whole);
        CHECK(fits({{"type", "integer"}}, support::parsed(whole)));
    }
    CHECK_FALSE(fits({{"type", "integer"}}, 1.5));
    CHECK_FALSE(fits({{"type", "integer"}}, 1e-300));
    CHECK(fits({{"type", "number"}}, 1));
    CHECK_FALSE(fits({{"type", "number"}}, "1"));
}

TEST_CASE("a number that JSON cannot say fits no type") {
    CHECK_FALSE(ai::parse_json("1e400"));
    for (const double strange : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()}) {
        CHECK_FALSE(fits({{"type", "number"}}, strange));
        CHECK_FALSE(fits({{"multipleOf", 1}}, strange));
    }
    CHECK_FALSE(fits({{"minimum", 0}}, -infinity));
    CHECK_FALSE(fits({{"maximum", 0}}, infinity));
    CHECK_FALSE(fits({{"maximum", most}}, std::numeric_limits<double>::quiet_NaN()));
}

TEST_CASE("bounds and constants are compared exactly") {
    CHECK(fits({{"maximum", 9007199254740993}}, 9007199254740993));
    CHECK_FALSE(fits({{"exclusiveMaximum", 9007199254740992.0}}, 9007199254740993));
    CHECK(fits({{"exclusiveMinimum", 9007199254740992.0}}, 9007199254740993));
    CHECK_FALSE(fits({{"const", 9007199254740992.0}}, 9007199254740993));
    CHECK_FALSE(fits({{"const", -1}}, most));
    CHECK_FALSE(fits({{"const", 18446744073709551616.0}}, most));
    CHECK(fits({{"maximum", most}}, least));
    CHECK(fits({{"const", -9223372036854775808.0}}, least));
    CHECK(fits({{"minimum", 1e300}}, 1e301));
    CHECK_FALSE(fits({{"minimum", 1e300}}, most));
    CHECK(fits({{"minimum", -1e300}}, least));
    CHECK(fits({{"maximum", -0.5}}, -1));
    CHECK_FALSE(fits({{"maximum", -1.5}}, -1));
    CHECK(fits({{"const", 0}}, -0.0));
    CHECK(fits({{"enum", {1, 2.5, "3"}}}, 1.0));
    CHECK_FALSE(fits({{"enum", {1}}}, true));
    CHECK_FALSE(fits({{"uniqueItems", true}}, support::parsed("[0, -0.0]")));
    CHECK(fits({{"uniqueItems", true}}, support::parsed("[0, false, null, \"\", [], {}, [0], {\"a\": 0}, {\"b\": 0}, {\"a\": 1}]")));
    CHECK_FALSE(fits({{"uniqueItems", true}}, support::parsed(R"([{"a": 1, "b": [2]}, 3, {"b": [2.0], "a": 1.0}])")));
}

TEST_CASE("a multiple is one in decimal, as it was written") {
    CHECK(fits({{"multipleOf", 0.01}}, 0.07));
    CHECK(fits({{"multipleOf", 0.1}}, 0.3));
    CHECK(fits({{"multipleOf", 0.01}}, 4.35));
    CHECK(fits({{"multipleOf", 0.01}}, 1e300));
    CHECK(fits({{"multipleOf", 1e-9}}, 123456.000000001));
    CHECK(fits({{"multipleOf", 0.01}}, 0));
    CHECK(fits({{"multipleOf", 7}}, -0.0));
    CHECK(fits({{"multipleOf", 2.5}}, -7.5));
    CHECK(fits({{"multipleOf", 1e300}}, 2e300));
    CHECK(fits({{"multipleOf", 3}}, most));
    CHECK(fits({{"multipleOf", most}}, most));
    CHECK(fits({{"multipleOf", 1000}}, 1e20));
    CHECK(fits({{"multipleOf", 2}}, least));
    CHECK_FALSE(fits({{"multipleOf", 0.01}}, 0.075));
    CHECK_FALSE(fits({{"multipleOf", 0.123456789}}, 1e308));
    CHECK_FALSE(fits({{"multipleOf", 2}}, most));
    CHECK_FALSE(fits({{"multipleOf", 18446744073709551557U}}, 1e300));
    CHECK_FALSE(fits({{"multipleOf", 1e300}}, 1));
    CHECK_FALSE(fits({{"multipleOf", 3e-320}}, 1));
}

TEST_CASE("sizes may be written as floats, and may be huge") {
    CHECK(fits({{"maxLength", 2.0}}, "ab"));
    CHECK_FALSE(fits({{"maxLength", 2.0}}, "abc"));
    CHECK(fits({{"maxItems", 1e300}}, support::parsed("[1]")));
    CHECK_FALSE(fits({{"minItems", 1e300}}, support::parsed("[1]")));
}
