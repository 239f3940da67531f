#include <pyaichat/message/capability_list.hpp>

#include "catch.hpp"

namespace ai = pyaichat;
using ai::json;

namespace {

ai::capability_spec door() {
    json parameters = json::object();
    parameters["type"] = "object";
    parameters["properties"]["id"]["enum"] = {"cellar", "attic"};
    parameters["required"] = {"id"};
    return {.name = "door", .description = "Opens a door.", .parameters = parameters, .origin = "doors.lua"};
}

}  // namespace

TEST_CASE("what cannot be sent to a service is refused when it is declared") {
    ai::capability_spec spec = door();
    CHECK(ai::declare({spec}));
    spec.description = " ";
    CHECK_FALSE(ai::declare({spec}));
    spec = door();
    spec.parameters = {{"type", "string"}};
    CHECK_FALSE(ai::declare({spec}));
    spec.parameters = nullptr;
    CHECK(ai::declare({spec}));
    spec.timeout = ai::duration::zero();
    CHECK_FALSE(ai::declare({spec}));
    spec = door();
    spec.name = "a door";
    CHECK(ai::declare({spec}).error().code == ai::errc::invalid_argument);
}

TEST_CASE("a mistake in a schema is found when it is declared, with its place and its owner") {
    ai::capability_spec spec = door();
    spec.parameters["properties"]["id"]["type"] = "strnig";
    const auto refused = ai::declare({spec});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::invalid_argument);
    CHECK(refused.error().message.find("/properties/id/type") != std::string::npos);
    CHECK(refused.error().message.find("doors.lua") != std::string::npos);
}

TEST_CASE("two declarations of one name are refused, with both owners") {
    ai::capability_spec other = door();
    other.origin = "C++";
    const auto refused = ai::declare({door(), other});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ai::errc::name_clash);
    CHECK(refused.error().message.find("doors.lua") != std::string::npos);
    CHECK(refused.error().message.find("C++") != std::string::npos);
}

TEST_CASE("arguments are checked against what was declared") {
    const ai::capability_list all = *ai::declare({door(), {.name = "look", .description = "Looks."}});
    CHECK(all.size() == 2);
    REQUIRE(all.find("door") != nullptr);
    CHECK(all.find("door")->origin == "doors.lua");
    CHECK(all.find("window") == nullptr);
    CHECK(all.validate("door", {{"id", "attic"}}).empty());
    CHECK(all.validate("look", {{"anything", 1}}).empty());
    const auto errors = all.validate("door", {{"id", "roof"}});
    REQUIRE(errors.size() == 1);
    CHECK(errors[0].path == "/id");
    CHECK(errors[0].keyword == "enum");
}

TEST_CASE("unchanged declarations are not made anew") {
    const ai::capability_list first = *ai::declare({door()});
    const std::vector<ai::capability_spec> same{door()};
    CHECK(ai::declare(same, first)->begin() == first.begin());
    std::vector<ai::capability_spec> changed{door()};
    changed[0].description = "Shuts a door.";
    CHECK(ai::declare(changed, first)->begin() != first.begin());
    CHECK(ai::capability_list().empty());
}
