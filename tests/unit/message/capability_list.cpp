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

TEST_CASE("a check is of one list, one name and exactly these arguments") {
    const ai::capability_list all = *ai::declare({door(), {.name = "look", .description = "Looks."}});
    const json arguments{{"at", {1, "x", {{"deep", 9007199254740993}}}}};
    ai::argument_check check = all.check("look", arguments);
    CHECK(check.is_of(all, "look", arguments));
    CHECK(check.is_of(ai::capability_list(all), "look", arguments));
    CHECK_FALSE(check.is_of(all, "door", arguments));
    CHECK_FALSE(check.is_of(*ai::declare(all.specs()), "look", arguments));
    for (const json& other :
         {json(), json::object(), json{{"at", {1, "x"}}}, json{{"at", {1.0, "x", {{"deep", 9007199254740993}}}}},
          json{{"at", {1, "x", {{"deep", 9007199254740992.0}}}}}, json{{"at", {1, "x", {{"keep", 9007199254740993}}}}}}) {
        CHECK_FALSE(check.is_of(all, "look", other));
    }
    const ai::argument_check moved = std::move(check);
    CHECK(moved.is_of(all, "look", arguments));
    CHECK_FALSE(check.is_of(all, "look", arguments));  // NOLINT(bugprone-use-after-move)
    CHECK_FALSE(ai::argument_check().is_of(ai::capability_list(), "", json()));
    CHECK_FALSE(all.check("window", arguments).is_of(all, "window", arguments));
}

TEST_CASE("a check saves the validation, of its own call alone") {
    const ai::capability_list all = *ai::declare({door()});
    const ai::argument_check unfit = all.check("door", {{"id", "roof"}});
    CHECK(all.validate("door", {{"id", "roof"}}, unfit) == all.validate("door", {{"id", "roof"}}));
    CHECK(all.validate("door", {{"id", "attic"}}, unfit).empty());
    CHECK(all.validate("door", {{"id", "roof"}}, all.check("door", {{"id", "attic"}})).size() == 1);
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
