#include <pyaichat/schema/reduce.hpp>

#include <pyaichat/schema/schema_profiles.hpp>
#include <pyaichat/schema/validate.hpp>

#include "catch.hpp"

#include <string>

namespace ai = pyaichat;

namespace {

ai::json from(std::string_view text) {
    ai::result<ai::json> read = ai::parse_json(text);
    INFO(text);
    REQUIRE(read);
    return *read;
}

}  // namespace

TEST_CASE("a keyword that the service does not accept is said in words") {
    // [reduce]
    const ai::json schema = from(R"({"type": "object", "properties": {
        "zip": {"type": "string", "pattern": "^\\d{5}$", "description": "The code."},
        "text": {"type": "string", "maxLength": 5000}}})");
    const ai::reduced_schema small = ai::reduce_schema(schema, ai::schema_profiles::llamacpp);

    CHECK(small.schema["properties"]["zip"]["description"] == R"(The code. (must match the pattern "^\d{5}$"))");
    CHECK(small.schema["properties"]["text"] == from(R"({"type": "string", "description": "at most 5000 characters"})"));
    CHECK(small.left_out ==
          std::vector<std::string>{"#/properties/text: at most 5000 characters", R"(#/properties/zip: must match the pattern "^\d{5}$")"});
    // [/reduce]
}
