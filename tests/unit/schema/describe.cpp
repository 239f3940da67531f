#include <pyaichat/schema/describe.hpp>

#include <pyaichat/schema/decode.hpp>
#include <pyaichat/schema/schema_of.hpp>

#include "catch.hpp"

namespace ai = pyaichat;

namespace {
struct heal_args {
    double points = 0;
    std::optional<std::string> who = {};
    static constexpr ai::about descriptions[] = {{"points", "how much"}};
};
}  // namespace

TEST_CASE("what a struct says about its fields is in its schema") {
    const ai::json schema = ai::schema_of<heal_args>();
    CHECK(schema["properties"]["points"]["description"] == "how much");
    CHECK_FALSE(schema["properties"]["who"].contains("description"));
    static_assert(ai::detail::description_of<heal_args>("points").text == "how much");
    static_assert(ai::detail::description_of<heal_args>("who").text.empty());
}

namespace {
struct page {
    std::optional<std::int64_t> limit = {};
    double share = 0;
    std::uint8_t row = 3;
    static constexpr ai::about descriptions[] = {{"limit", "how many", 1, 1000}, {"share", "of all", 0, 1}, {"row", "which", 2}};
};

std::string misfit_of(const char* text) {
    page read;
    ai::schema_error error;
    return ai::decode(*ai::parse_json(text), read, error) ? "" : error.path + " " + error.message;
}
}  // namespace

TEST_CASE("the range of a number is in the schema and holds for what is decoded") {
    const ai::json schema = ai::schema_of<page>();
    CHECK(schema["properties"]["limit"]["minimum"] == 1);
    CHECK(schema["properties"]["limit"]["maximum"] == 1000);
    CHECK_FALSE(schema["properties"]["row"].contains("maximum"));
    CHECK(misfit_of(R"({"limit": 1000, "share": 0, "row": 2})").empty());
    CHECK(misfit_of(R"({"limit": null, "share": 1, "row": 255})").empty());
    CHECK(misfit_of(R"({"limit": 0, "share": 0, "row": 2})") == "/limit must be at least 1");
    CHECK(misfit_of(R"({"limit": 1001, "share": 0, "row": 2})") == "/limit must be at most 1000");
    CHECK(misfit_of(R"({"share": 1.5, "row": 2})") == "/share must be at most 1");
    CHECK(misfit_of(R"({"share": -0.5, "row": 2})") == "/share must be at least 0");
    CHECK(misfit_of(R"({"share": 0, "row": 1})") == "/row must be at least 2");
}

TEST_CASE("a missing field is told with what it means") {
    heal_args read;
    ai::schema_error error;
    CHECK_FALSE(ai::decode(ai::json::object(), read, error));
    CHECK(error.message == "is required: how much");
}
