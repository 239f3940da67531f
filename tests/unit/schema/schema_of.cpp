#include <pyaichat/schema/schema_of.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

TEST_CASE("types are described in JSON Schema") {
    CHECK(ai::schema_of<bool>() == ai::json({{"type", "boolean"}}));
    CHECK(ai::schema_of<long>() == ai::json({{"type", "integer"}}));
    CHECK(ai::schema_of<float>() == ai::json({{"type", "number"}}));
    CHECK(ai::dump_json(ai::schema_of<std::optional<std::string>>()) == R"({"anyOf":[{"type":"string"},{"type":"null"}]})");
    CHECK(ai::schema_of<std::vector<int>>() == ai::json({{"type", "array"}, {"items", {{"type", "integer"}}}}));
    CHECK(ai::schema_of<std::map<std::string, bool>>() == ai::json({{"type", "object"}, {"additionalProperties", {{"type", "boolean"}}}}));
    CHECK(ai::schema_of<ai::json>() == ai::json::object());
}
