// Capabilities from members of an object.
#include <pyaichat/capability/detail/bound_member.hpp>

#include <pyaichat/capability/function.hpp>

#include "catch.hpp"

#include <functional>
#include <memory>

namespace ai = pyaichat;

namespace bound_member_tests {
using ai::json;

namespace {

ai::capability_reply invoke(ai::function_capability& source, json arguments = json::object()) {
    ai::capability_call call;
    call.name = source.specs().value()[0].name;
    call.arguments = std::move(arguments);
    ai::capability_reply reply;
    source.invoke(call, ai::capability_responder([&](ai::capability_reply replied) { reply = std::move(replied); }));
    return reply;
}

struct creature {
    double health = 40;
    double heal(double points) { return health += points; }
};
struct player : creature {
    std::string name = "Ada";
    [[nodiscard]] const std::string& get_name() const noexcept { return name; }
    double checked_heal(double points) & { return heal(points); }
    void rename(ai::capability_responder responder, const std::string& to) {
        name = to;
        responder(ai::reply_with(name));
    }
    std::string who_asks(const ai::capability_call& call) const { return call.name; }
};
}  // namespace

TEST_CASE("a member function is called with its object") {
    player ada;
    auto heal = ai::capability("heal", "Heals.", &player::heal, ada, ai::arg{"points", "how much", 5});
    CHECK(heal.specs().value()[0].parameters["properties"]["points"]["default"] == 5);
    CHECK(invoke(heal, {{"points", 2}}).result == 42.0);
    CHECK(invoke(heal).result == 47.0);
    CHECK(ada.health == 47);
    CHECK(invoke(heal, {{"points", "x"}}).code == ai::reply_code::invalid_args);
}

TEST_CASE("the object may be a reference, a pointer of any kind, or belong to the capability") {
    player ada;
    const auto shared = std::make_shared<player>();
    auto by_pointer = ai::capability("f", "F.", &player::checked_heal, &ada, ai::arg{"points"});
    auto by_reference = ai::capability("f", "F.", &player::heal, std::ref(ada), ai::arg{"points"});
    auto by_shared = ai::capability("f", "F.", &player::heal, shared, ai::arg{"points"});
    auto by_unique = ai::capability("f", "F.", &player::heal, std::make_unique<player>(), ai::arg{"points"});
    auto by_value = ai::capability("f", "F.", &player::heal, player(), ai::arg{"points"});
    CHECK(invoke(by_pointer, {{"points", 1}}).result == 41.0);
    CHECK(invoke(by_reference, {{"points", 1}}).result == 42.0);
    CHECK(ada.health == 42);
    CHECK(invoke(by_shared, {{"points", 1}}).result == 41.0);
    CHECK(shared->health == 41);
    CHECK(shared.use_count() == 2);
    CHECK(invoke(by_unique, {{"points", 1}}).result == 41.0);
    CHECK(invoke(by_value, {{"points", 1}}).result == 41.0);
    CHECK(invoke(by_value, {{"points", 1}}).result == 42.0);
}

TEST_CASE("a call to an object that has ended is an error") {
    auto ada = std::make_shared<player>();
    auto name = ai::capability("name", "Who.", &player::get_name, std::weak_ptr<player>(ada));
    CHECK(invoke(name).result == "Ada");
    CHECK(ada.use_count() == 1);
    ada.reset();
    const ai::capability_reply gone = invoke(name);
    CHECK(gone.code == ai::reply_code::internal);
    CHECK(gone.message == "The object that `name` works on no longer exists. Do not call it again.");
}

TEST_CASE("a null pointer is told before any call") {
    const auto source = ai::capability("name", "Who.", &player::get_name, static_cast<player*>(nullptr));
    REQUIRE_FALSE(source.specs());
    CHECK(source.specs().error().message == "the object of `name` is a null pointer");
    CHECK_FALSE(ai::capability("name", "Who.", &player::get_name, std::shared_ptr<player>()).specs());
    CHECK_FALSE(ai::capability("name", "Who.", &player::get_name, std::weak_ptr<player>()).specs());
}

TEST_CASE("a data member is read") {
    player ada;
    const player& seen = ada;
    auto health = ai::capability("health", "Health.", &player::health, ada);
    auto name = ai::capability("name", "Name.", &player::name, seen);
    CHECK(health.specs().value()[0].effects == ai::effects::read);
    CHECK(health.specs().value()[0].parameters.is_null());
    CHECK(invoke(health).result == 40.0);
    ada.health = 7;
    ada.name = "Bob";
    CHECK(invoke(health).result == 7.0);
    CHECK(invoke(name).result == "Bob");
}

TEST_CASE("a member function may reply later, and may see the call") {
    player ada;
    auto rename = ai::capability("rename", "Renames.", &player::rename, ada, ai::arg{"to"});
    CHECK(invoke(rename, {{"to", "Bob"}}).result == "Bob");
    auto who = ai::capability("who", "Who.", &player::who_asks, ada);
    CHECK(invoke(who).result == "who");
}

}  // namespace bound_member_tests
