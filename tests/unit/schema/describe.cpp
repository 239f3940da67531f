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
    static_assert(ai::detail::description_of<heal_args>("points") == "how much");
    static_assert(ai::detail::description_of<heal_args>("who").empty());
}

TEST_CASE("a missing field is told with what it means") {
    heal_args read;
    ai::schema_error error;
    CHECK_FALSE(ai::decode(ai::json::object(), read, error));
    CHECK(error.message == "is required: how much");
}
